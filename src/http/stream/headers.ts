/** Of every reply that is a stream of events. */
export const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  // Tells nginx not to collect the events of a minute before it passes them on.
  'x-accel-buffering': 'no',
  connection: 'close',
};
