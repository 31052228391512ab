// What holds for a feed: its own words in `sources.json` where it has any, else those of its adapter.
import type { CityFeed } from '../../domain/city/city-feed.ts';
import type { Adapter, AdapterDescription, DescribedKey } from './adapter.ts';
import type { Feed } from './feed.ts';

export interface FeedTerms
  extends Pick<AdapterDescription, 'publisher' | 'limit' | 'licence' | 'attribution' | 'key'> {
  /** It is polled no more often than this, and no more often than it changes. */
  every_seconds: number;
}

export function feedTerms(feed: Feed, { about }: Pick<Adapter, 'about'>): FeedTerms {
  return {
    publisher: feed.publisher ?? about.publisher,
    limit: feed.limit ?? about.limit,
    licence: feed.licence ?? about.licence,
    attribution: feed.attribution ?? about.attribution,
    key: feed.key ? ownKey(feed.key, about.key) : about.key,
    every_seconds: Math.max(feed.every_seconds, about.changes_every_seconds),
  };
}

/**
 * A key that the city file asks for is needed, or it would not ask. The hosts that an adapter knows are those of its own
 * key: no other is sent there by the word of a city file.
 */
const ownKey = (key: NonNullable<Feed['key']>, about: DescribedKey | null): DescribedKey => ({
  ...key,
  required: true,
  hosts: key.env === about?.env ? about.hosts : [],
});

/** The feeds of a city as answers describe them. A feed of an adapter that is not listed has its own words only. */
export const describeFeeds = (
  feeds: readonly Feed[],
  adapters: readonly Pick<Adapter, 'name' | 'about'>[],
): CityFeed[] =>
  feeds.map((feed) => {
    const adapter = adapters.find(({ name }) => name === feed.adapter);
    const { key: _key, ...terms } = adapter
      ? feedTerms(feed, adapter)
      : feedTerms(feed, { about: withoutTerms });
    return { id: feed.id, title: feed.title, ...terms, fields: feed.fields };
  });

const withoutTerms: AdapterDescription = {
  publisher: '',
  limit: null,
  changes_every_seconds: 0,
  licence: '',
  attribution: '',
  key: null,
};
