// Verifies one entry of the ledger in the browser, step by step. It shares no code with the service.

const utf8Bytes = (text) => new TextEncoder().encode(text);
const toHex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const fromHex = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const fromBase64 = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

async function sha256(...parts) {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return new Uint8Array(await crypto.subtle.digest('SHA-256', whole));
}

/** Canonical JSON (RFC 8785): members sorted by their UTF-16 units, numbers and strings as ECMAScript writes them. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${members.join(',')}}`;
}

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

/** The root hash that an inclusion proof leads to (RFC 9162, section 2.1.3.2). Null if the proof does not fit the tree size. */
async function foldProof({ leaf, index, size, proof }) {
  let node = index;
  let last = size - 1;
  let hash = leaf;
  for (const sibling of proof.map(fromHex)) {
    if (last === 0) return null;
    if (node % 2 === 1 || node === last) {
      hash = await sha256(NODE, sibling, hash);
      while (node % 2 === 0 && node !== 0) {
        node = Math.floor(node / 2);
        last = Math.floor(last / 2);
      }
    } else hash = await sha256(NODE, hash, sibling);
    node = Math.floor(node / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 ? hash : null;
}

function readCheckpoint(note) {
  const end = note.lastIndexOf('\n\n');
  const text = note.slice(0, end + 1);
  const [origin, size, root] = text.split('\n');
  const signatures = note
    .slice(end + 2)
    .split('\n')
    .filter(Boolean)
    .map((line) => /^— (\S+) (\S+)$/.exec(line))
    .filter((found) => found !== null)
    .map(([, name, encoded]) => ({ name, bytes: fromBase64(encoded) }));
  const time = /^written_at (.+)$/m.exec(text)?.[1];
  return { text, origin, size: Number(size), root: toHex(fromBase64(root)), time, signatures };
}

/** A C2SP signed-note key: name, key id, and the key, which follows one byte for the algorithm (Ed25519). */
function readKey(line) {
  const [name, id, ...rest] = line.trim().split('+');
  return { name, id, key: fromBase64(rest.join('+')).slice(1) };
}

/** Whether the signature is valid; null if this browser does not support Ed25519. */
async function verifySignature(checkpoint, { name, id, key }) {
  const signature = checkpoint.signatures.find(
    (one) => one.name === name && toHex(one.bytes.slice(0, 4)) === id,
  );
  if (!signature) return false;
  let imported;
  try {
    imported = await crypto.subtle.importKey('raw', key, 'Ed25519', false, ['verify']);
  } catch {
    return null;
  }
  return crypto.subtle.verify('Ed25519', imported, signature.bytes.slice(4), utf8Bytes(checkpoint.text));
}

/**
 * Checks a proof from /api/ledger/proof/:id. Calls `report` for each step with whether it holds and what was computed;
 * the first step that fails ends the check. Returns whether all steps hold.
 */
export async function check(proof, keyLine, sealShown, report) {
  const payload = canonical(proof.payload);
  const seal = `sha256:${toHex(await sha256(utf8Bytes(payload)))}`;
  const sealed = seal === proof.payload_hash && seal === sealShown;
  report('payload', sealed, sealed ? seal : `${seal}, but what was sealed is ${sealShown}`);
  if (!sealed) return false;

  const entry = canonical({ id: proof.id, payload: proof.payload, payload_hash: seal, type: proof.type });
  const leaf = await sha256(LEAF, utf8Bytes(entry));
  const isLeaf = toHex(leaf) === proof.leaf_hash;
  report('leaf', isLeaf, `Leaf ${proof.leaf_index}: ${toHex(leaf)}`);
  if (!isLeaf) return false;

  const { leaf_index: index, tree_size: size } = proof;
  const root = await foldProof({ leaf, index, size, proof: proof.proof });
  report(
    'root',
    root !== null,
    root ? `${proof.proof.length} neighbours: ${toHex(root)}` : 'The proof does not fit the tree',
  );
  if (root === null) return false;

  const checkpoint = readCheckpoint(proof.checkpoint);
  const committed = checkpoint.root === toHex(root) && checkpoint.size === size;
  report('checkpoint', committed, `${checkpoint.origin}, ${checkpoint.size} entries: ${checkpoint.root}`);
  if (!committed) return false;

  const signed = await verifySignature(checkpoint, readKey(keyLine));
  report(
    'signature',
    signed,
    signed === null ? 'This browser cannot check Ed25519 signatures' : keyLine.trim(),
  );
  if (signed === false) return false;

  const { written_at: written } = proof.payload;
  const timely = Date.parse(written) <= Date.parse(checkpoint.time);
  report('written', timely, timely ? `${written}: ${whenWritten(proof)}` : 'Not earlier than the checkpoint');
  return timely;
}

/** In words, by the times that are sealed in the payload. Of history it says no more: some outcomes were still open. */
export function whenWritten({ type, payload }) {
  const outcome = payload.reveal_at ?? payload.window_end ?? payload.prediction_window_end;
  const isOutcome = type === 'reveal' || type === 'verdict';
  if (payload.backfilled) return `${isOutcome ? 'an outcome, ' : ''}as history of the simulated city`;
  if (isOutcome) return 'an outcome';
  if (type === 'key') return 'a change of the key';
  return Date.parse(payload.written_at) < Date.parse(outcome) ? 'before its outcome' : 'after its outcome';
}

async function checkSection(section) {
  const verdict = section.querySelector('.verified');
  const conclude = (kind, words) => {
    verdict.className = `verified ${kind}`;
    verdict.textContent = words;
  };
  if (!globalThis.crypto?.subtle) {
    conclude(
      '',
      'This browser checks hashes only on a secure connection. How to check by hand is described below.',
    );
    return;
  }
  const report = (step, holds, words) => {
    const item = section.querySelector(`[data-step="${step}"]`);
    if (holds !== null) item.className = holds ? 'right' : 'wrong';
    item.querySelector('output').textContent = words;
  };
  conclude('', 'Checking in this browser …');
  try {
    const [proof, key] = await Promise.all(
      [`/api/ledger/proof/${section.dataset.id}`, '/api/ledger/key'].map(async (address) => {
        const response = await fetch(address);
        if (!response.ok) throw new Error(`${address} answered ${response.status}`);
        return response.text();
      }),
    );
    const entry = JSON.parse(proof);
    const holds = await check(entry, key, section.dataset.hash, report);
    conclude(
      holds ? 'right' : 'wrong',
      holds
        ? `Verified in this browser: this is what was sealed. Written ${whenWritten(entry)}.`
        : 'Refused: this is not what was sealed.',
    );
  } catch (error) {
    conclude('wrong', `It could not be checked: ${error.message}`);
  }
}

const section = globalThis.document?.getElementById('proof');
if (section) checkSection(section);
