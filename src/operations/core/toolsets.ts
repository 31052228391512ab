// Sets of tools for clients that need only some: each tool names its sets. They limit what `tools/list` lists, so that a
// model reads less before it asks anything; every tool can be called all the same.

/** The names that clients choose by, and what each set is for. */
export const toolsets = {
  reader: 'how pockets feel now and over the next hours, and where it is calm',
  merchant: 'outlets, what they are ready for, and whether an action would be justified',
  record: 'what was forecast, said and withheld, how it turned out, and the reports',
  benchmark: 'forecasts of other systems compared with those of the service',
  visitor:
    'for assistants: the reader’s tools, plans for a visit, outlets, changes between days, and why nothing was said',
} as const;

export type Toolset = keyof typeof toolsets;

export const toolsetNames = Object.keys(toolsets) as readonly Toolset[];

export const isToolset = (name: string): name is Toolset => Object.hasOwn(toolsets, name);

/** The set that holds another whole one. */
const withReader: Toolset = 'visitor';

/** The tools of any of these sets, in their order; where no set is named, those that are listed by default. */
export const inToolsets = <T extends { toolsets?: readonly Toolset[]; tool?: unknown }>(
  tools: readonly T[],
  names: readonly Toolset[],
): readonly T[] => {
  if (!names.length) return tools.filter(({ tool }) => tool === undefined);
  const wanted = names.includes(withReader) ? [...names, 'reader' as const] : names;
  return tools.filter((tool) => wanted.some((name) => tool.toolsets?.includes(name)));
};
