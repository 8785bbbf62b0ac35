import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { inBackground } from '../kernel/background.ts';
import type { PageEntry } from '../pages/page.ts';
import { shell } from '../texts/common.ts';
import { Button } from '../ui/index.ts';

type PaletteModule = typeof import('./palette.tsx');

/** Opens the palette with ⌘K, Ctrl+K or the button; loads its code then. */
export function PaletteKey({
  audience,
  pages,
}: {
  audience: PageEntry['audience'];
  pages: readonly PageEntry[];
}) {
  const opened = useSignal<PaletteModule | undefined>(undefined);
  const open = async (): Promise<void> => {
    // Never above a dialog, which may show a secret once.
    if (!document.querySelector('dialog[open]')) opened.value = await import('./palette.tsx');
  };
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      inBackground(open());
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
  const Palette = opened.value?.default;
  return (
    <>
      <Button look="quiet" small icon="search" label={shell.goTo} onClick={() => inBackground(open())} />
      {Palette && <Palette audience={audience} pages={pages} onClose={() => (opened.value = undefined)} />}
    </>
  );
}
