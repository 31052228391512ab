// Times as publishers write them, in the zone of their city.
const formats = new Map<string, Intl.DateTimeFormat>();

/** `2026-01-12 10:15:00`. */
export function localTime(time: number, zone: string): string {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('sv-SE', {
      timeZone: zone,
      dateStyle: 'short',
      timeStyle: 'medium',
    });
    formats.set(zone, format);
  }
  return format.format(time);
}

/** `2026-01-12T10:15:00+08:00`. */
export function offsetTime(time: number, zone: string): string {
  const local = localTime(time, zone).replace(' ', 'T');
  const minutes = Math.round((Date.parse(`${local}Z`) - time) / 60_000);
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const offset = Math.abs(minutes);
  return `${local}${minutes < 0 ? '-' : '+'}${two(offset / 60)}:${two(offset % 60)}`;
}
