/** Runs in the page: finds texts with a contrast to their background below WCAG AA. */
(() => {
  const NORMAL_TEXT = 4.5;
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });

  /** Memoizes: a page has thousands of texts in a dozen colours. */
  function remembered(find) {
    const known = new Map();
    return (asked) => {
      if (!known.has(asked)) known.set(asked, find(asked));
      return known.get(asked);
    };
  }

  const channels = remembered((color) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  });

  function luminance(rgb) {
    const [r, g, b] = rgb.map((channel) => {
      const share = channel / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }

  const background = remembered((element) => {
    if (!element) return [255, 255, 255];
    const [r, g, b, alpha] = channels(getComputedStyle(element).backgroundColor);
    return alpha === 255 ? [r, g, b] : background(element.parentElement);
  });

  const worst = new Map();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (texts.currentNode.data.trim() === '' || !element.checkVisibility()) continue;
    const { color } = getComputedStyle(element);
    const behind = background(element);
    const key = `${color} on ${behind}`;
    if (worst.has(key)) continue;
    const [light, dark] = [luminance(channels(color).slice(0, 3)), luminance(behind)].sort((a, b) => b - a);
    worst.set(key, {
      ratio: (light + 0.05) / (dark + 0.05),
      text: texts.currentNode.data.trim().slice(0, 30),
    });
  }
  return [...worst]
    .filter(([, { ratio }]) => ratio < NORMAL_TEXT)
    .map(([key, { ratio, text }]) => `${key}: ${ratio.toFixed(2)} (${text})`);
})();
