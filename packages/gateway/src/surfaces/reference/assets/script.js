/** Optional comfort: copy buttons, tabs, search, and a navigation that follows the scroll position. */

const contents = document.querySelector('#contents');
const links = [...contents.querySelectorAll('.groups a')];

for (const figure of document.querySelectorAll('[data-copyable]')) addCopyButton(figure);
for (const tabs of document.querySelectorAll('[data-tabs]')) makeTabs(tabs);
searchContents(contents.querySelector('[data-search]'));
followReader();

/** On narrow screens the navigation is a sheet, which a choice closes. */
contents.addEventListener('click', ({ target }) => {
  if (target.closest('a') && contents.matches(':popover-open')) contents.hidePopover();
});

function addCopyButton(figure) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await copy(figure.querySelector('code'));
    button.textContent = 'Copied';
    button.classList.add('copied');
  });
  button.addEventListener('animationend', () => {
    button.textContent = 'Copy';
    button.classList.remove('copied');
  });
  figure.querySelector('figcaption').append(button);
}

async function copy(code) {
  // Browsers deny the clipboard to pages over plain HTTP, but not a selection.
  if (navigator.clipboard) return navigator.clipboard.writeText(code.textContent);
  getSelection().selectAllChildren(code);
  document.execCommand('copy');
}

function makeTabs(tabs) {
  const panels = [...tabs.children];
  const list = document.createElement('div');
  list.className = 'tablist';
  list.role = 'tablist';
  list.ariaLabel = tabs.dataset.tabs;
  const buttons = panels.map((panel, index) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.role = 'tab';
    button.textContent = panel.querySelector('figcaption').firstChild.textContent;
    button.addEventListener('click', () => choose(index));
    panel.role = 'tabpanel';
    return button;
  });

  function choose(chosen) {
    for (const [index, button] of buttons.entries()) {
      button.ariaSelected = String(index === chosen);
      button.tabIndex = index === chosen ? 0 : -1;
      panels[index].hidden = index !== chosen;
    }
  }

  list.addEventListener('keydown', ({ key }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (!step) return;
    const next = (buttons.indexOf(document.activeElement) + step + buttons.length) % buttons.length;
    choose(next);
    buttons[next].focus();
  });
  list.append(...buttons);
  tabs.prepend(list);
  choose(0);
}

/** Searches all text of the entries: titles, paths, field names, error texts. */
function searchContents(search) {
  const input = search.querySelector('input');
  const results = search.querySelector('.results');
  const status = search.querySelector('[role=status]');
  const groups = contents.querySelector('.groups');
  let index;
  search.hidden = false;

  async function find(query) {
    // A single page is its own index; several have a file, which is fetched on first use.
    index ??= search.dataset.search ? (await import(search.dataset.search)).default : links.map(findable);
    const words = query.split(/\s+/);
    const inTitle = ({ title }) => words.every((word) => title.toLowerCase().includes(word));
    const matches = index.filter(({ title, text }) =>
      words.every((word) => title.toLowerCase().includes(word) || text.includes(word)),
    );
    return [...matches.filter(inTitle), ...matches.filter((match) => !inTitle(match))];
  }

  async function show() {
    const query = input.value.trim().toLowerCase();
    const found = query === '' ? [] : await find(query);
    // The query has changed while the index was loading.
    if (query !== input.value.trim().toLowerCase()) return;
    groups.hidden = query !== '';
    results.hidden = query === '';
    results.replaceChildren(...found.map(resultFor));
    if (query !== '' && found.length === 0) results.append(nothing());
    status.textContent = query === '' ? '' : `${found.length} results`;
  }

  input.addEventListener('input', show);
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && input.value !== '') {
      event.preventDefault();
      input.value = '';
      show();
    }
    if (event.key === 'Enter') results.querySelector('a')?.click();
  });
  search.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const stops = [input, ...results.querySelectorAll('a')];
    stops[stops.indexOf(document.activeElement) + step]?.focus();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target.matches('input')) return;
    event.preventDefault();
    if (getComputedStyle(contents).display === 'none') contents.showPopover();
    input.select();
  });
}

/** Targets of the navigation's links, each with its group. */
function findable(link) {
  return {
    href: link.hash,
    title: link.querySelector('span').textContent,
    group: link.closest('details').querySelector('summary').textContent,
    text: `${link.textContent} ${document.getElementById(link.hash.slice(1))?.textContent ?? ''}`.toLowerCase(),
  };
}

function resultFor({ href, title, group }) {
  const from = document.createElement('small');
  from.textContent = group;
  const name = document.createElement('span');
  name.textContent = title;
  const link = document.createElement('a');
  link.href = href;
  link.append(name, from);
  const item = document.createElement('li');
  item.append(link);
  return item;
}

function nothing() {
  const item = document.createElement('li');
  item.className = 'nothing';
  item.textContent = 'Nothing matches.';
  return item;
}

/** Marks the entry at the top of the window, and opens its group. */
function followReader() {
  const own = links.filter((link) => link.hash !== '' && link.pathname === location.pathname);
  const linkOf = new Map(own.map((link) => [link.hash.slice(1), link]));
  const visible = new Set();
  let current;
  const observer = new IntersectionObserver(
    (changes) => {
      for (const { target, isIntersecting } of changes) {
        if (isIntersecting) visible.add(target);
        else visible.delete(target);
      }
      const [first] = [...visible].sort((a, b) => a.compareDocumentPosition(b) & 2 || -1);
      const link = first && linkOf.get(first.id);
      if (!link || link === current) return;
      current?.removeAttribute('aria-current');
      link.setAttribute('aria-current', 'true');
      link.closest('details').open = true;
      link.scrollIntoView({ block: 'nearest' });
      current = link;
    },
    { rootMargin: '-96px 0px -60% 0px' },
  );
  for (const entry of document.querySelectorAll('[data-entry]')) observer.observe(entry);
  contents.addEventListener('toggle', () => current?.scrollIntoView({ block: 'nearest' }));
}
