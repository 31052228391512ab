/** Days of the calendar in words, in the service's voice. Dates are 'YYYY-MM-DD'. */

const months = [
  ...['january', 'february', 'march', 'april', 'may', 'june', 'july'],
  ...['august', 'september', 'october', 'november', 'december'],
];

/** '14 december 2024' */
export const dayText = (date: string): string => dateParts(date).join(' ');

/** '14 december 2024', '9 to 15 december 2024', '30 november to 6 december 2024', '30 december 2024 to 5 january 2025' */
export function daysText(first: string, last: string): string {
  const [day, month, year] = dateParts(first);
  const [, lastMonth, lastYear] = dateParts(last);
  if (first === last) return dayText(first);
  if (year !== lastYear) return `${dayText(first)} to ${dayText(last)}`;
  return `${day}${month === lastMonth ? '' : ` ${month}`} to ${dayText(last)}`;
}

function dateParts(date: string): [day: string, month: string, year: string] {
  const [year = '', month, day] = date.split('-');
  return [String(Number(day)), months[Number(month) - 1] ?? '', year];
}
