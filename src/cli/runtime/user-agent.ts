import type { Config } from '../../config.ts';
import { packageVersion } from './build-id.ts';

/** Says who asks, so that a publisher can write to the operator. */
export const formatUserAgent = ({
  BASE_URL,
  CONTACT_DOMAIN,
}: Pick<Config, 'BASE_URL' | 'CONTACT_DOMAIN'>): string => {
  const contact = BASE_URL ?? (CONTACT_DOMAIN && `https://${CONTACT_DOMAIN}`);
  return `pocketwatch/${packageVersion()}${contact ? ` (+${contact})` : ''}`;
};
