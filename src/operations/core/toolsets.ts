// Sets of tools for clients that need only some: each tool names its sets. They limit what `tools/list` lists, so that a
// model reads less before it asks anything; every tool can be called all the same.

/** The names that clients choose by, and what each set is for. */
export const toolsets = {
  reader: 'how pockets feel now and over the next hours, and where it is calm',
  merchant: 'outlets, what they are ready for, and whether an action would be justified',
  record: 'what was forecast, said and withheld, how it turned out, and the reports',
  benchmark: 'forecasts of other systems beside those of the service',
} as const;

export type Toolset = keyof typeof toolsets;

export const toolsetNames = Object.keys(toolsets) as readonly Toolset[];

export const isToolset = (name: string): name is Toolset => Object.hasOwn(toolsets, name);

/** The tools of any of these sets, in their order; all of them where no set is named. */
export const inToolsets = <T extends { toolsets?: readonly Toolset[] }>(
  tools: readonly T[],
  names: readonly Toolset[],
): readonly T[] =>
  names.length ? tools.filter((tool) => names.some((name) => tool.toolsets?.includes(name))) : tools;
