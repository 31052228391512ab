// Keeps keys out of what is logged, stored and served.

const SECRET_NAME = /(key|token|secret|password|passwd|auth|signature|appid|app_id|credential|^sig$|^pw$)/i;

/** The address without password, fragment and the values of parameters that look like keys. */
export function publicUrl(text: string, secrets: readonly string[] = []): string {
  const url = URL.parse(text);
  if (!url) return '';
  url.username = '';
  url.password = '';
  url.hash = '';
  for (const name of [...url.searchParams.keys()])
    if (SECRET_NAME.test(name)) url.searchParams.set(name, 'withheld');
  return withoutSecrets(url.href, secrets);
}

/** A text in which no key occurs, neither as it is nor as an address writes it. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .filter((secret) => secret !== '')
    .reduce((shown, secret) => shown.replaceAll(secret, 'withheld'), text);
}
