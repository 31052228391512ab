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

/** A text in which no key occurs, neither as it is nor as an address or JSON writes it. */
export const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  secrets
    .flatMap(secretForms)
    .sort((a, b) => b.length - a.length)
    .reduce((shown, form) => shown.replaceAll(form, 'withheld'), text);

/** Whether a body repeats a key: a publisher that takes it in the query may write it into the links of its answer. */
export function holdsSecret(body: Uint8Array, secrets: readonly string[]): boolean {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return secrets.flatMap(secretForms).some((form) => bytes.includes(form));
}

function secretForms(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const [, inQuery = ''] = new URLSearchParams({ k: secret }).toString().split('=');
  const encoded = [encodeURIComponent(secret.toWellFormed()), encodeURI(secret.toWellFormed()), inQuery];
  const forms = [
    secret,
    json,
    json.replaceAll('/', '\\/'),
    ...encoded,
    ...encoded.map((form) => form.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())),
  ];
  return [...new Set(forms)].filter((form) => form !== '');
}
