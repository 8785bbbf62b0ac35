import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { call, useResource, wholeList } from '../api/index.ts';
import type { PageEntry } from '../pages/page.ts';
import { nav, paletteTexts } from '../texts/common.ts';
import { Dialog, formatPhone, Icon, type IconName } from '../ui/index.ts';
import './palette.css';

interface Place {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly href: string;
  readonly icon: IconName;
}

const SHOWN = 8;
/** Replaces the browser's list of suggestions. */
const COMBOBOX = { role: 'combobox', list: undefined, 'aria-expanded': true } as const;

/** Jumps to pages and an owner's numbers by typing part of their names. */
export default function Palette({
  audience,
  pages,
  onClose,
}: {
  audience: PageEntry['audience'];
  pages: readonly PageEntry[];
  onClose: () => void;
}) {
  const { route } = useLocation();
  const typed = useSignal('');
  const at = useSignal(0);
  const id = useId();
  const numbers = useResource(
    async () =>
      audience === 'owner' ? (await wholeList((page) => call('listNumbers', { query: page }))).numbers : [],
    [audience],
  );
  const places: readonly Place[] = [
    ...pages.flatMap(({ path, nav: entry }) => (entry ? [{ ...entry, href: path }] : [])),
    ...(numbers.data ?? []).map(({ phone, nickname }) => ({
      label: formatPhone(phone),
      hint: nickname ?? nav.numbers,
      href: `/portal/numbers/${phone}`,
      icon: 'phone' as const,
    })),
  ];
  const found = places.filter((place) => fits(place, typed.value)).slice(0, SHOWN);
  const chosen = Math.min(at.value, found.length - 1);

  function go(place: Place | undefined): void {
    if (!place) return;
    onClose();
    route(place.href);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      at.value = (chosen + step + found.length) % found.length;
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      go(found[chosen]);
    }
  }

  return (
    <Dialog title={paletteTexts.title} onClose={onClose}>
      <input
        class="control"
        type="search"
        {...COMBOBOX}
        autofocus
        aria-label={paletteTexts.field}
        aria-controls={id}
        aria-activedescendant={found.length > 0 ? `${id}-${chosen}` : undefined}
        placeholder={paletteTexts.field}
        value={typed.value}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value;
          at.value = 0;
        }}
        onKeyDown={onKeyDown}
      />
      <div class="palette" id={id} role="listbox" aria-label={paletteTexts.title}>
        {found.map((place, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
          <div
            key={place.href}
            id={`${id}-${index}`}
            class="palette-place"
            role="option"
            aria-selected={index === chosen}
            onClick={() => go(place)}
          >
            <Icon name={place.icon} />
            {place.label}
            {place.hint && <span class="quiet small">{place.hint}</span>}
          </div>
        ))}
      </div>
      {found.length === 0 && <p class="quiet">{paletteTexts.nothing}</p>}
    </Dialog>
  );
}

/** Finds numbers with and without spaces. */
function fits({ label, hint = '' }: Place, typed: string): boolean {
  const wanted = typed.trim().toLowerCase();
  const text = `${label} ${hint}`.toLowerCase();
  return text.includes(wanted) || (/^\+?[\d ]+$/.test(wanted) && digits(text).includes(digits(wanted)));
}

function digits(text: string): string {
  return text.replaceAll(/\D/g, '');
}
