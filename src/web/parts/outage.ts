/** What is known while the store cannot be read. Times are ISO 8601 in UTC. */
export interface Outage {
  /** False: the service runs without a store. */
  configured: boolean;
  as_of: string;
  since: string;
  /** As of the last time that the store was read. */
  newest_reading_at: string | null;
  /** What the page's question was last answered with by this process, and when. */
  last_known: { answer: unknown; at: string } | null;
}
