// What a page says of itself while the service does not answer. The server puts this text before live.js and before
// service-worker.js, so that an open page and a saved one say the same.

/** '00:12' in the city's time, or '10 Nov, 00:12' if that was another day there. */
function cityClock(time, timeZone, now) {
  const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone });
  const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone });
  return day.format(time) === day.format(now)
    ? clock.format(time)
    : `${day.format(time)}, ${clock.format(time)}`;
}

/** 'less than a minute ago', '5 minutes ago', '3 hours ago', '2 days ago'. */
function ageText(milliseconds) {
  const minutes = Math.floor(milliseconds / 60_000);
  const [n, unit] =
    minutes < 60
      ? [minutes, 'minute']
      : minutes < 2_880
        ? [Math.floor(minutes / 60), 'hour']
        : [Math.floor(minutes / 1_440), 'day'];
  return n < 1 ? 'less than a minute ago' : `${n} ${unit}${n === 1 ? '' : 's'} ago`;
}

/**
 * `since`: the last time that the service answered. `savedAt`: when a page that comes from this device was saved; null
 * for one that has been open since. `live`: the page is about the present, and what it said of it is hidden.
 */
// biome-ignore lint/correctness/noUnusedVariables: called by the scripts that this text is put before
function outageText({ online, since, savedAt, live, timeZone, now }) {
  const clock = (time) => cityClock(time, timeZone, now);
  const when = (time) => `${clock(time).includes(',') ? 'on' : 'at'} ${clock(time)}`;
  const lead = online ? `The service has not answered since ${clock(since)}.` : 'You are offline.';
  if (savedAt === null)
    return online
      ? `${lead} What it said about the present is hidden until it answers.`
      : `${lead} This is what was known ${when(since)}; what was said about the present is hidden.`;
  const rest = live ? 'What it said about the present is hidden.' : 'It may be out of date.';
  return `${lead} This page was saved ${ageText(now - savedAt)}, ${when(savedAt)}. ${rest}`;
}
