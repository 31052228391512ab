// The zones that tests use: Singapore's, whose texts the interface fixes, and some whose clocks change or whose offset
// is not a whole hour.
import { timeZone, type Zone } from './zone.ts';

export const singapore = timeZone('Asia/Singapore', 'en-SG');

const locales = {
  'Europe/Berlin': 'en-GB',
  'Australia/Melbourne': 'en-AU',
  'America/New_York': 'en-US',
  'Asia/Kolkata': 'en-IN',
  'Australia/Lord_Howe': 'en-AU',
} as const;
type TestedZone = keyof typeof locales;

export const localZone = (name: TestedZone): Zone => timeZone(name, locales[name]);

export const changingZones = Object.keys(locales).map((name) => localZone(name as TestedZone));
