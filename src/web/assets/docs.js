// Progressive enhancement of /docs, which works without it: searches while somebody types, shows the answer of a request
// in the page, keeps the command beside a form up to date, and opens what a link asks for. It sets text, never markup.

const SEARCH_DELAY_MS = 200;
/** A longer answer is cut off: the browser would be slow to show it. */
const MAX_SHOWN = 50_000;

/** Path and query for what the form holds: parameters of the path are filled in, empty fields left out. */
function requestAddress(form) {
  const values = new Map([...new FormData(form)].filter(([, value]) => value !== ''));
  const path = form.dataset.path.replaceAll(/{(\w+)}/g, (_, name) => {
    const value = encodeURIComponent(values.get(name) ?? '').replaceAll('%2F', '/');
    values.delete(name);
    return value.replaceAll("'", '%27');
  });
  if (form.dataset.method !== 'GET') return path;
  const query = new URLSearchParams([...values]).toString();
  return query ? `${path}?${query}` : path;
}

const quote = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

/** `origin` is that of the command as the page was served: the service's public address. */
function curlCommand(form, origin) {
  const url = quote(origin + requestAddress(form));
  if (form.dataset.method === 'GET') return `curl -s ${url}`;
  const body = quote(form.elements.body.value.replaceAll(/\s*\n\s*/g, ' ').trim());
  return `curl -s -X ${form.dataset.method} ${url} -H 'content-type: application/json' -d ${body}`;
}

const sizeText = (bytes) => (bytes < 1_000 ? `${bytes} bytes` : `${(bytes / 1_000).toFixed(1)} kB`);

function readable(text, type) {
  if (!/json/.test(type)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

async function send(form) {
  const { method } = form.dataset;
  const startedAt = performance.now();
  const response = await fetch(requestAddress(form), {
    method,
    ...(method !== 'GET' && {
      headers: { 'content-type': 'application/json' },
      body: form.elements.body.value,
    }),
  });
  const type = response.headers.get('content-type') ?? '';
  if (/event-stream/.test(type)) {
    await response.body.cancel();
    return {
      status: `${response.status} · ${type}`,
      text: 'It sends events as they happen: use the command.',
    };
  }
  const bytes = await response.arrayBuffer();
  const ms = Math.round(performance.now() - startedAt);
  const text = readable(new TextDecoder().decode(bytes), type);
  return {
    status: `${response.status} ${response.statusText} · ${ms} ms · ${sizeText(bytes.byteLength)} · ${type}`,
    text: text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}\n… cut off here` : text,
  };
}

function enhanceForm(form) {
  // A parameter may be named id, and its field then stands in for `form.id`.
  const command = document.querySelector(`[data-for="${form.getAttribute('id')}"]`);
  const [, origin = ''] = /'(https?:\/\/[^/']+)/.exec(command.textContent) ?? [];
  const status = document.createElement('p');
  status.setAttribute('role', 'status');
  const answer = document.createElement('pre');
  answer.className = 'reply';
  answer.tabIndex = 0;
  answer.hidden = true;
  command.parentElement.after(status, answer);
  const button = form.querySelector('button');
  button.hidden = false;
  form.addEventListener('input', () => {
    command.textContent = curlCommand(form, origin);
  });
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    button.disabled = true;
    status.textContent = 'Waiting …';
    try {
      const reply = await send(form);
      status.textContent = reply.status;
      answer.textContent = reply.text;
      answer.hidden = false;
    } catch {
      status.textContent = 'The service could not be reached.';
      answer.hidden = true;
    }
    button.disabled = false;
  });
}

/** Replaces the results with those of the words that are typed. */
function enhanceSearch(form) {
  const results = document.querySelector('#results');
  const input = form.elements.q;
  let timer;
  let latest = 0;
  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      latest += 1;
      const own = latest;
      const words = input.value.trim();
      const address = words ? `/docs?${new URLSearchParams({ q: words })}` : '/docs';
      const response = await fetch(address, { headers: { accept: 'text/html' } });
      // A later search may have been answered first.
      if (!response.ok || own !== latest) return;
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      results.replaceChildren(...page.querySelector('#results').childNodes);
      // Screen readers say it: the element is a status, and stays.
      document.querySelector('#found').textContent = page.querySelector('#found').textContent;
      history.replaceState(null, '', address);
    }, SEARCH_DELAY_MS);
  });
}

for (const form of document.querySelectorAll('form.try')) enhanceForm(form);
for (const form of document.querySelectorAll('form.search')) enhanceSearch(form);

/** Opens what is folded up around the part that the address names, for browsers that do not do so by themselves. */
function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let part = target?.closest('details'); part; part = part.parentElement.closest('details'))
    part.open = true;
  target?.scrollIntoView();
}
if (location.hash) openTarget();
addEventListener('hashchange', openTarget);
