// How clients are told about the service: the text to copy, for each client, with the address of this service in it.
// Most clients read a JSON file, and each has its own name for the field that holds the address.

export interface Setup {
  client: string;
  /** Where the text goes: a file or the command line. */
  where: string;
  text: string;
}

/** The toolset that assistants are advised to list. */
export const RECOMMENDED_TOOLSET = 'visitor';

const pretty = (value: object): string => JSON.stringify(value, null, 2);

/** `url` is the MCP address, `baseUrl` that of the service. */
export function setupsFor(baseUrl: string): Setup[] {
  const url = `${baseUrl}/api/mcp`;
  const command = {
    command: 'node',
    args: ['/path/to/pocketwatch/bin/pocketwatch.mjs', 'mcp', '--url', baseUrl],
  };
  return [
    {
      client: 'Claude Desktop',
      where:
        'Settings, Connectors, Add custom connector, with this address. For an address that only your machine can reach, use the stdio command below.',
      text: url,
    },
    {
      client: 'Claude Code',
      where: 'On the command line:',
      text: `claude mcp add --transport http pocketwatch ${url}`,
    },
    {
      client: 'Cursor',
      where: 'In ~/.cursor/mcp.json, or .cursor/mcp.json of a project:',
      text: pretty({ mcpServers: { pocketwatch: { url } } }),
    },
    {
      client: 'VS Code',
      where: 'In .vscode/mcp.json of a workspace:',
      text: pretty({ servers: { pocketwatch: { type: 'http', url } } }),
    },
    {
      client: 'Windsurf',
      where: 'In ~/.codeium/windsurf/mcp_config.json:',
      text: pretty({ mcpServers: { pocketwatch: { serverUrl: url } } }),
    },
    {
      client: 'Codex',
      where: 'In ~/.codex/config.toml:',
      text: `[mcp_servers.pocketwatch]\nurl = ${JSON.stringify(url)}`,
    },
    {
      client: 'Gemini CLI',
      where: 'In ~/.gemini/settings.json:',
      text: pretty({ mcpServers: { pocketwatch: { httpUrl: url } } }),
    },
    {
      client: 'Zed',
      where: 'In the settings file of Zed:',
      text: pretty({ context_servers: { pocketwatch: { url } } }),
    },
    {
      client: 'Clients that start a command (stdio)',
      where:
        'With a checkout of pocketwatch on your machine. Without --url it answers from the local store. In the checkout itself, npx pocketwatch mcp is the same.',
      text: pretty({ mcpServers: { pocketwatch: command } }),
    },
    {
      client: 'MCP Inspector',
      where: 'To look around by hand:',
      text: `npx @modelcontextprotocol/inspector --cli ${url} --transport http --method tools/list`,
    },
    {
      client: 'curl',
      where: 'A request is one POST:',
      text: `curl -s ${url} -H 'content-type: application/json' \\\n  -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_calm_pocket_now","arguments":{}}}'`,
    },
  ];
}
