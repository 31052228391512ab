// MCP on stdin and stdout, for clients that start a command instead of asking an address.
import { readConfig } from '../../config.ts';
import { TOOLSET_HEADER, toolsetsIn, unknownToolsetIn } from '../../http/mcp/toolsets.ts';
import { toolsetNames } from '../../operations/core/toolsets.ts';
import { type Command, readOptions, say, UsageError } from '../runtime/command.ts';
import { type AnswerLine, answerLines } from '../runtime/mcp/answer-lines.ts';
import { localAnswers } from '../runtime/mcp/local.ts';
import { type RemoteAnswers, remoteAnswers } from '../runtime/mcp/remote.ts';
import { formatUserAgent } from '../runtime/user-agent.ts';

export const mcpCommand: Command = {
  usage: `pocketwatch mcp [--url URL] [--toolset NAME,…]

Speaks MCP on stdin and stdout, for clients that start a command: a JSON-RPC message is a line, and so is its reply.
Answers from the store of the settings (DATA_DIR or DATABASE_URL), which a service may be writing meanwhile, and only
reads it. Everything for people goes to stderr. Ends when stdin does, after answering what was asked.

  --url URL       ask the service at this address instead, such as https://pocketwatch.example
  --toolset NAME  list fewer tools: ${toolsetNames.join(', ')}, comma-separated; every tool can still be called`,
  run: async (args) => {
    const { url, toolset = '' } = readOptions(args, { url: { type: 'string' }, toolset: { type: 'string' } });
    const unknown = unknownToolsetIn(toolset);
    if (unknown) throw new UsageError(`--toolset: ${unknown}`);
    const { answer, close } =
      url === undefined
        ? await localAnswers(readConfig(process.env), toolsetsIn(toolset), say)
        : askService(url, toolset);
    try {
      await speak(answer);
    } finally {
      await close();
    }
  },
};

/** A client that has gone is the end, not an error. */
async function speak(answer: AnswerLine): Promise<void> {
  process.stdout.on('error', () => undefined);
  await answerLines(process.stdin, process.stdout, answer).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

function askService(url: string, toolset: string): RemoteAnswers {
  if (!URL.canParse(url) || !/^https?:/.test(url)) throw new UsageError(`--url: not an http address: ${url}`);
  const headers = {
    'user-agent': formatUserAgent({ BASE_URL: undefined, CONTACT_DOMAIN: undefined }),
    ...(toolset && { [TOOLSET_HEADER]: toolset }),
  };
  return remoteAnswers({ url, headers, say });
}
