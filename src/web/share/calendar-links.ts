// Links that subscribe to a pocket's calendar of calm windows. A file that is downloaded once would soon be out of date.

export interface CalendarLink {
  words: string;
  address: string;
}

export function calendarLinks(baseUrl: string, pocket_id: string): readonly CalendarLink[] {
  const file = `${baseUrl}/pocket/${pocket_id}/calm.ics`;
  // The scheme that calendar programs subscribe by.
  const subscription = file.replace(/^https?:/, 'webcal:');
  return [
    { words: 'Subscribe in a calendar', address: subscription },
    {
      words: 'Add to Google Calendar',
      address: `https://calendar.google.com/calendar/render?cid=${encodeURIComponent(subscription)}`,
    },
    {
      words: 'Add to Outlook',
      address: `https://outlook.live.com/calendar/0/addfromweb?url=${encodeURIComponent(file)}`,
    },
  ];
}
