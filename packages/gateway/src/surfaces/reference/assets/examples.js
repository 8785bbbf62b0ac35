/** Examples in other languages, and a form that sends them to this gateway with the reader's own key. */

const LANGUAGE = 'parley.language';
const KEY = 'parley.key';
const EXAMPLE_SESSION = '15550001001:1@s.whatsapp.net';
const figures = [...document.querySelectorAll('[data-example]')];
const isSandbox = document.querySelector('[data-network]')?.dataset.network === 'sandbox';
const asPrinted = new Map(figures.map((figure) => [figure, figure.querySelector('code').innerHTML]));
let known;

/** Fetched on first use: most readers never need it. */
function examples() {
  known ??= window.fetch('/docs/examples.json').then((answer) => answer.json());
  return known;
}

for (const figure of figures) {
  const choices = element('div', { className: 'tablist languages', role: 'group', ariaLabel: 'Language' });
  const names = ['curl', ...figure.dataset.languages.split(',')];
  choices.append(...names.map((name) => button(name, () => choose(name))));
  figure.querySelector('figcaption').after(choices);
  if (figure.dataset.try !== undefined)
    figure
      .querySelector('figcaption')
      .append(button('Try it', ({ target }) => open(figure, target), 'try-it'));
}
choose(localStorage.getItem(LANGUAGE) ?? 'curl');

/** Applies to the whole page, and to the next visit. */
async function choose(name) {
  localStorage.setItem(LANGUAGE, name);
  const all = name === 'curl' ? {} : await examples();
  for (const figure of figures) {
    const code = all[figure.dataset.example]?.code[name];
    figure.querySelector('code').innerHTML = code ?? asPrinted.get(figure);
    const shown = code === undefined ? 'curl' : name;
    for (const each of figure.querySelectorAll('.languages button'))
      each.ariaPressed = String(each.textContent === shown);
  }
}

async function open(figure, opener) {
  const { request } = (await examples())[figure.dataset.example];
  opener.disabled = true;
  const form = element('div', { className: 'try', role: 'group', ariaLabel: 'Try it' });
  const key = field(form, 'API key', 'password', sessionStorage.getItem(KEY) ?? '');
  const path = field(form, `${request.method} path`, 'text', request.path);
  const body =
    request.body === undefined ? undefined : area(form, 'Body', JSON.stringify(request.body, null, 2));
  form.append(element('p', { className: 'try-network', textContent: isSandbox ? ON_SANDBOX : ON_NETWORK }));
  const certain =
    isSandbox || request.method === 'GET' ? undefined : box(form, 'I know that this reaches a real phone');
  const send = button('Send', () => submit());
  const answer = element('pre', { className: 'try-answer', tabIndex: 0, hidden: true, ariaLive: 'polite' });
  form.append(send, answer);
  figure.after(form);
  key.focus();
  key.addEventListener('change', () => useOwnNumber());
  if (key.value) useOwnNumber();

  /** Replaces the sandbox's number by the reader's. */
  async function useOwnNumber() {
    sessionStorage.setItem(KEY, key.value);
    const { status, value } = await ask('GET', '/v1/sessions', {});
    const own =
      status === 200 && value.sessions.find((session) => session.status === 'connected')?.session_id;
    if (!own) return;
    path.value = path.value.replace(pathSegment(EXAMPLE_SESSION), pathSegment(own));
    if (body) body.value = body.value.replaceAll(EXAMPLE_SESSION, own);
  }

  async function submit() {
    if (certain && !certain.checked) {
      certain.focus();
      return;
    }
    send.disabled = true;
    const headers = { ...request.headers };
    if (headers['Idempotency-Key']) headers['Idempotency-Key'] = newKey();
    const { status, value } = await ask(request.method, path.value, headers, body?.value);
    answer.hidden = false;
    answer.textContent = `${status}\n${value === undefined ? '' : JSON.stringify(value, null, 2)}`;
    send.disabled = false;
  }

  async function ask(method, address, headers, text) {
    try {
      const response = await window.fetch(new URL(address, location.origin), {
        method,
        headers: { ...headers, Authorization: `Bearer ${key.value}` },
        body: text,
        credentials: 'omit',
      });
      const said = await response.text();
      return { status: response.status, value: said === '' ? undefined : JSON.parse(said) };
    } catch (error) {
      // No answer, or one that is not JSON.
      if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
      return { status: 'There was no answer that could be read.', value: undefined };
    }
  }
}

const ON_SANDBOX =
  'This gateway is on the sandbox: numbers and phones are virtual, and nothing real happens.';
const ON_NETWORK = 'This gateway is on the real network: what you send reaches people.';

function newKey() {
  // biome-ignore lint/plugin: a browser has no injected source of randomness
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('');
}

function pathSegment(value) {
  return encodeURIComponent(value).replaceAll('%3A', ':');
}

function element(name, properties) {
  return Object.assign(document.createElement(name), properties);
}

function button(words, act, className = '') {
  const made = element('button', { type: 'button', textContent: words, className });
  made.addEventListener('click', act);
  return made;
}

function labelled(form, words, control) {
  const label = element('label', { textContent: words });
  label.append(control);
  form.append(label);
  return control;
}

function field(form, words, type, value) {
  return labelled(form, words, element('input', { type, value, autocomplete: 'off', spellcheck: false }));
}

function area(form, words, value) {
  const rows = Math.min(value.split('\n').length + 1, 16);
  return labelled(form, words, element('textarea', { value, rows, spellcheck: false }));
}

function box(form, words) {
  const control = element('input', { type: 'checkbox' });
  const label = element('label', { className: 'try-certain' });
  label.append(control, words);
  form.append(label);
  return control;
}
