// Sensors that send by themselves over MQTT: topic and payload → measurements. Pure; the connection is in
// mqtt-connection.ts. docs/sources.md describes the settings.
import Type, { type Static } from 'typebox';
import { MINUTE } from '../../domain/time/slot.ts';
import { type AdapterTerms, type FeedOf, FeedShapeError, type Poll } from '../core/adapter.ts';
import {
  type FeedKeys,
  findKey,
  isKeyName,
  KEY_NAME_RULE,
  type Key,
  refuseOtherHosts,
  renameLine,
} from '../core/feed-keys.ts';
import { decodeText, parseJson } from '../core/rows/decode.ts';
import { compilePointer, rootNode } from './generic/pointer.ts';
import {
  contextForCheck,
  type ReadContext,
  type ReadResult,
  readContext,
  readRows,
} from './generic/read-rows.ts';
import { genericTerms } from './generic/settings.ts';
import { checkJsonRead, jsonReadSettings, readJson } from './generic-json.ts';
import { closedObject } from './parse/settings.ts';

const { place, ...readProperties } = jsonReadSettings.properties;

const topicSettings = closedObject({
  topic: Type.String({
    minLength: 1,
    maxLength: 300,
    description:
      'a topic filter; +name is a level that references call {name}, + any level, # all further levels',
  }),
  payload: Type.Optional(Type.Enum(['json', 'number'], { description: 'default: json' })),
  expires_minutes: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 10_080,
      description: 'how long a value without a time of its own holds from its receipt; default: 30',
    }),
  ),
  place: Type.Optional(place),
  ...readProperties,
});
export type TopicSettings = Static<typeof topicSettings>;

/** `check` says which names may stand here: its words name what to write instead. */
const variable = (what: string) =>
  Type.String({ maxLength: 200, description: `the environment variable with ${what} for the broker` });

export const mqttSettings = closedObject({
  url: Type.String({
    pattern: '^(mqtt|mqtts|ws|wss)://[^@]+$',
    maxLength: 300,
    description: 'the broker, without a password: that comes from the environment',
  }),
  username_env: Type.Optional(variable('the username')),
  password_env: Type.Optional(variable('the password')),
  topics: Type.Array(topicSettings, {
    minItems: 1,
    maxItems: 50,
    description: 'what is listened to; the first filter that matches a message reads it',
  }),
});
export type MqttSettings = Static<typeof mqttSettings>;

export const mqttAdapter: AdapterTerms<MqttSettings> = {
  name: 'mqtt',
  about: { ...genericTerms, changes_every_seconds: 1 },
  settings: mqttSettings,
  check(settings) {
    if (!URL.parse(settings.url)?.hostname) throw new FeedShapeError('settings: url is not an address');
    for (const field of ['username_env', 'password_env'] as const) checkName(field, settings[field]);
    topicFilters(settings);
    for (const topic of settings.topics) {
      const levels = topic.topic.split('/');
      const names = matchLevels(levels, levels) ?? {};
      checkJsonRead(withDefaults(topic, names), contextForCheck(names));
    }
  },
};

function checkName(field: string, name: string | undefined): void {
  if (name === undefined || isKeyName(name)) return;
  throw new FeedShapeError(`settings.${field}: ${renameLine(name) ?? `it must be ${KEY_NAME_RULE}`}`);
}

type CredentialSettings = Pick<MqttSettings, 'url' | 'username_env' | 'password_env'>;

/** Throws where a key that the settings name is not set, or may not be sent to the broker. */
export function brokerCredentials(
  { url, username_env, password_env }: CredentialSettings,
  keys: FeedKeys,
): { username?: string; password?: string } {
  const read = (env: string | undefined): Key | null =>
    env === undefined ? null : findKey({ env, required: true, hosts: [] }, keys);
  const username = read(username_env);
  const password = read(password_env);
  refuseOtherHosts(
    [username, password].filter((key) => key !== null),
    [new URL(url)],
  );
  return {
    ...(username && { username: username.value }),
    ...(password && { password: password.value }),
  };
}

/** What no log, archive or answer may hold: the password, or a username that stands alone, which is then a token. */
export function credentialSecrets(
  { username_env, password_env }: CredentialSettings,
  keys: FeedKeys,
): string[] {
  const secret = keys.values.get(password_env ?? username_env ?? '');
  return secret === undefined ? [] : [secret];
}

/** Of a value without a time, from its receipt. */
const EXPIRES_MINUTES = 30;

export interface MqttMessage {
  topic: string;
  payload: Uint8Array;
  /** The broker kept it: it may be months old. */
  retained: boolean;
}

/**
 * `received.now` is when the message came; a value without a time of its own expires some minutes after it. A retained
 * message without a time is of unknown age: its values are counted as stale and left out. An empty payload only deletes
 * a retained message: it is ignored.
 */
export function parseMessage(
  { topic, payload, retained }: MqttMessage,
  feed: FeedOf<MqttSettings>,
  received: Poll,
): ReadResult {
  const matched = matchTopic(topic, feed.settings.topics);
  if (!matched || payload.length === 0) return { measurements: [], faults: {} };
  const { measurements, faults } = readPayload(
    payload,
    matched.settings,
    readContext(feed, received, matched.names),
  );
  if (retained) {
    const timed = measurements.filter(({ observed_at }) => observed_at !== null);
    const stale = measurements.length - timed.length;
    return { measurements: timed, faults: { ...faults, ...(stale > 0 && { stale }) } };
  }
  const arrived_at = received.now;
  const expires_at = arrived_at + (matched.settings.expires_minutes ?? EXPIRES_MINUTES) * MINUTE;
  return {
    measurements: measurements.map((measurement) =>
      measurement.observed_at === null ? { ...measurement, arrived_at, expires_at } : measurement,
    ),
    faults,
  };
}

function readPayload(payload: Uint8Array, topic: TopicSettings, context: ReadContext): ReadResult {
  const settings = withDefaults(topic, context.names);
  if (topic.payload === 'number')
    return readRows([rootNode(decodeText(payload))], settings, compilePointer, context);
  const { measurements, faults } = readJson(rootNode(parseJson(payload)), settings, context);
  return { measurements, faults };
}

/** What the levels of a topic say, unless the settings say it. */
const withDefaults = (topic: TopicSettings, names: ReadContext['names']) => ({
  place: '{place}',
  value: '',
  ...(Object.hasOwn(names, 'field') && { field_name: '{field}' }),
  ...topic,
});

interface MatchedTopic {
  settings: TopicSettings;
  names: Record<string, string>;
}

/** The first of the list that matches. */
function matchTopic(topic: string, list: readonly TopicSettings[]): MatchedTopic | null {
  const levels = topic.split('/');
  for (const settings of list) {
    const names = matchLevels(levels, settings.topic.split('/'));
    if (names) return { settings, names };
  }
  return null;
}

function matchLevels(levels: readonly string[], filter: readonly string[]): Record<string, string> | null {
  const names: Record<string, string> = {};
  for (const [i, part] of filter.entries()) {
    if (part === '#') return names;
    const level = levels[i];
    if (level === undefined || (!part.startsWith('+') && part !== level)) return null;
    if (part.length > 1 && part.startsWith('+')) names[part.slice(1)] = level;
  }
  return levels.length === filter.length ? names : null;
}

/** What the broker is asked for: names of levels are ours alone. */
export function topicFilters({ topics }: MqttSettings): string[] {
  const filters = topics.map(({ topic }) => {
    const levels = topic.split('/');
    if (levels.some((level, i) => level.includes('#') && (level !== '#' || i < levels.length - 1)))
      throw new FeedShapeError(`settings: ${JSON.stringify(topic)} has # before its end`);
    return levels.map((level) => (level.startsWith('+') ? '+' : level)).join('/');
  });
  return [...new Set(filters)];
}
