/** Carries a request from the page to the extension and the answer back. Comes to a page with a click on the icon, and once. */
(() => {
  if (globalThis.parleyPasskeyBridge) {
    window.postMessage({ source: 'waha-passkey-extension', type: 'ready' }, location.origin);
    return;
  }
  globalThis.parleyPasskeyBridge = true;
  const STILL_HERE_MS = 20_000;

  const answer = (requestId, reply) =>
    window.postMessage({ source: 'waha-passkey-extension', requestId, ...reply }, location.origin);

  /** A connection of its own for each request: it lasts as long as that, and a script that slept is woken by it. */
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
    // From the other side only: it was stopped or replaced, and the page would wait for ten minutes.
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
