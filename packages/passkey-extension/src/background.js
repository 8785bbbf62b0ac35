/**
 * A click on the icon lets the page in front request one signature. The passkey is used on the network's own site, in a tab
 * opened for it, after a second click there. Nothing is stored: all state ends with the tabs. A classic script in plain
 * JavaScript: the code reviewed in the stores is the code that runs.
 */
const NETWORK = 'https://web.whatsapp.com/';
const RP_IDS = new Set(['whatsapp.com', 'web.whatsapp.com']);
const BASE64URL = /^[A-Za-z0-9_-]{8,1024}$/;

chrome.action.onClicked.addListener((tab) => offerTo(tab.id));

/** Announces the extension to the page, which could not see it before. */
async function offerTo(tabId) {
  await chrome.scripting.executeScript({ target: { tabId }, files: ['bridge.js'] });
}

chrome.runtime.onConnect.addListener((port) => {
  port.onMessage.addListener(async (message) => {
    // A keep-alive: the browser would put this script to sleep while the person looks for the passkey.
    if (message.type === 'still here') return;
    const reply = await sign(message, port.sender).catch((error) => ({
      ok: false,
      error: error.message,
    }));
    port.postMessage({ requestId: message.requestId, ...reply });
  });
});

async function sign({ challenge, options }, { tab: from, origin }) {
  const asked = questionOf(challenge, options);
  const tab = await chrome.tabs.create({ url: NETWORK, openerTabId: from.id, index: from.index + 1 });
  try {
    await loaded(tab.id);
    const [{ result }] = await chrome.scripting.executeScript({
      target: { tabId: tab.id },
      world: 'MAIN',
      // The page is loaded already.
      injectImmediately: true,
      func: askThere,
      args: [asked, new URL(origin).host],
    });
    if (!result?.assertion) throw new Error(result?.error ?? 'the tab was closed');
    return { ok: true, assertion: result.assertion };
  } finally {
    await chrome.tabs.remove(tab.id).catch(() => {});
    await chrome.tabs.update(from.id, { active: true }).catch(() => {});
  }
}

/** Takes the fields that a linking needs, and only for the network's own name. */
function questionOf(challenge, options = {}) {
  const {
    rpId = 'whatsapp.com',
    timeout = 600_000,
    allowCredentials = [],
    userVerification = 'required',
  } = options;
  if (!BASE64URL.test(challenge)) throw new Error('the challenge is not base64url');
  if (options.challenge !== undefined && options.challenge !== challenge)
    throw new Error('there are two challenges');
  if (!RP_IDS.has(rpId)) throw new Error('this extension signs for WhatsApp only');
  return {
    challenge,
    rpId,
    timeout,
    allowCredentials,
    userVerification,
    extensions: options.extensions ?? {},
  };
}

/** A closed tab counts as loaded: the request there fails anyway. */
function loaded(tabId) {
  return new Promise((resolve) => {
    const done = () => {
      chrome.tabs.onUpdated.removeListener(follow);
      chrome.tabs.onRemoved.removeListener(gone);
      resolve();
    };
    const follow = (id, { status }) => {
      if (id === tabId && status === 'complete') done();
    };
    const gone = (id) => {
      if (id === tabId) done();
    };
    chrome.tabs.onUpdated.addListener(follow);
    chrome.tabs.onRemoved.addListener(gone);
    chrome.tabs.get(tabId).then((tab) => tab.status === 'complete' && done(), done);
  });
}

/**
 * Runs inside the network's page, because password managers offer a passkey only there. It must not use any outer variable. The
 * page's policy forbids inline styles and markup, so elements are created by script.
 */
function askThere(options, host) {
  const texts = {
    title: 'Link your WhatsApp number?',
    text: `${host} wants to link your number as a device. Confirm only if you started this yourself.`,
    confirm: 'Confirm with passkey',
    refuse: 'No',
  };
  const make = (tag, text, style) => {
    const element = document.createElement(tag);
    element.textContent = text;
    Object.assign(element.style, style);
    return element;
  };
  const box = document.createElement('dialog');
  Object.assign(box.style, {
    maxWidth: '26rem',
    padding: '1.5rem',
    border: '1px solid #868f8b',
    borderRadius: '14px',
    background: '#fff',
    color: '#1b2321',
    font: '16px/1.5 system-ui, sans-serif',
  });
  box.setAttribute('aria-label', texts.title);
  const button = {
    padding: '0.5rem 1rem',
    margin: '1rem 0.5rem 0 0',
    border: '1px solid #0a6a5a',
    borderRadius: '8px',
    font: 'inherit',
    cursor: 'pointer',
  };
  const confirm = make('button', texts.confirm, { ...button, background: '#0a6a5a', color: '#fff' });
  const refuse = make('button', texts.refuse, { ...button, background: '#fff', color: '#0a6a5a' });
  box.append(
    make('h2', texts.title, { margin: '0 0 0.5rem', fontSize: '1.25rem' }),
    make('p', texts.text, { margin: 0 }),
    confirm,
    refuse,
  );
  document.body.append(box);
  box.showModal();

  const bytes = (text) =>
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
  const text = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer)))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replaceAll('=', '');
  const publicKey = {
    ...options,
    challenge: bytes(options.challenge),
    allowCredentials: options.allowCredentials.map((each) => ({ ...each, id: bytes(each.id) })),
  };

  return new Promise((resolve) => {
    const end = (result) => {
      box.remove();
      resolve(result);
    };
    refuse.addEventListener('click', () => end({ error: 'the owner refused' }));
    box.addEventListener('cancel', () => end({ error: 'the owner refused' }));
    confirm.addEventListener('click', async () => {
      confirm.disabled = true;
      try {
        // By hand: the replacements of password managers often lack `toJSON`.
        const { rawId, response } = await navigator.credentials.get({ publicKey });
        const assertion = {
          id: text(rawId),
          rawId: text(rawId),
          type: 'public-key',
          response: {
            clientDataJSON: text(response.clientDataJSON),
            authenticatorData: text(response.authenticatorData),
            signature: text(response.signature),
            userHandle: response.userHandle ? text(response.userHandle) : null,
          },
        };
        end({ assertion });
      } catch (error) {
        // Allows another try: only closing the window ends it.
        confirm.disabled = false;
        confirm.textContent = 'Try again';
        if (error.name !== 'NotAllowedError') end({ error: error.message });
      }
    });
  });
}
