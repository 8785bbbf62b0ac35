/** Carries a request from the page to the extension and the answer back. Injected into a page by a click on the icon, once. */
(() => {
  if (globalThis.parleyPasskeyBridge) {
    window.postMessage({ source: 'waha-passkey-extension', type: 'ready' }, location.origin);
    return;
  }
  globalThis.parleyPasskeyBridge = true;
  const STILL_HERE_MS = 20_000;

  const answer = (requestId, reply) =>
    window.postMessage({ source: 'waha-passkey-extension', requestId, ...reply }, location.origin);

  /** One connection per request: it keeps the background script awake, or wakes it. */
  function sign({ requestId, challenge, options }) {
    const port = chrome.runtime.connect();
    // biome-ignore lint/style/noRestrictedGlobals: a script in a page has no other clock
    const pulse = setInterval(() => port.postMessage({ type: 'still here' }), STILL_HERE_MS);
    const end = (reply) => {
      clearInterval(pulse);
      answer(requestId, reply);
      port.disconnect();
    };
    port.onMessage.addListener(({ ok, assertion, error }) => end({ ok, assertion, error }));
    // Fires for the other side only: the extension was stopped or replaced, and the page would wait for ten minutes.
    port.onDisconnect.addListener(() => end({ ok: false, error: 'the extension has stopped' }));
    port.postMessage({ requestId, challenge, options });
  }

  window.addEventListener('message', ({ source, origin, data }) => {
    if (source !== window || origin !== location.origin || data?.source !== 'waha-passkey-page') return;
    if (data.type === 'waha-passkey-ping') answer(data.requestId, { ok: true });
    if (data.type === 'waha-passkey-sign') sign(data);
  });
  window.postMessage({ source: 'waha-passkey-extension', type: 'ready' }, location.origin);
})();
