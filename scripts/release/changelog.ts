/** What follows the heading `## 1.0.1 (2026-12-01)` of a version, up to the next one; undefined without a date or text. */
export function changelogSection(changelog: string, version: string): string | undefined {
  const section = changelog.split(/^## /m).find((text) => text.startsWith(`${version} (`)) ?? '';
  const [heading = '', ...lines] = section.split('\n');
  const date = heading.slice(version.length).trim();
  const isDated = /^\(\d{4}-\d\d-\d\d\)$/.test(date) && !Number.isNaN(Date.parse(date.slice(1, -1)));
  return (isDated && lines.join('\n').trim()) || undefined;
}
