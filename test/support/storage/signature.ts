// Checks AWS Signature Version 4 of a request to a bucket, written apart from the client that signs.
import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Undefined if the request is signed with this secret, else what is wrong. */
export function signatureFault(request: IncomingMessage, body: Buffer, secret: string): string | undefined {
  const { headers, method = '', url = '' } = request;
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;
  const [, , day = '', region = '', signed = '', signature] = pattern.exec(headers.authorization ?? '') ?? [];
  if (signature === undefined) return 'AccessDenied';
  if (headers['x-amz-content-sha256'] !== sha256(body)) return 'XAmzContentSHA256Mismatch';
  const names = signed.split(';');
  // A condition that is not signed could be taken away on the way.
  const mustBeSigned = ['host', 'x-amz-date', 'if-match', 'if-none-match'].filter((name) => headers[name]);
  if (mustBeSigned.some((name) => !names.includes(name))) return 'AccessDenied';
  const lines = names.map((name) => `${name}:${String(headers[name] ?? '').trim()}\n`).join('');
  const { pathname } = new URL(url, 'http://bucket');
  const canonical = [method, pathname, '', lines, signed, headers['x-amz-content-sha256']].join('\n');
  const time = String(headers['x-amz-date']);
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<Buffer | string>(hmac, `AWS4${secret}`);
  return hmac(key, toSign).toString('hex') === signature ? undefined : 'SignatureDoesNotMatch';
}
