import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { inBackground } from '../kernel/background.ts';
import type { PageEntry } from '../pages/page.ts';
import { shell } from '../texts/common.ts';
import { Button } from '../ui/index.ts';

type PaletteModule = typeof import('./palette.tsx');

/** ⌘K or Ctrl+K, or the button for whoever does not know that. What opens is loaded then. */
export function PaletteKey({
  audience,
  pages,
}: {
  audience: PageEntry['audience'];
  pages: readonly PageEntry[];
}) {
  const opened = useSignal<PaletteModule | undefined>(undefined);
  const open = async (): Promise<void> => {
    // Not above a dialog, which may hold something that is shown once.
    if (!document.querySelector('dialog[open]')) opened.value = await import('./palette.tsx');
  };
  useEffect(() => {
    const hear = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      inBackground(open());
    };
    window.addEventListener('keydown', hear);
    return () => window.removeEventListener('keydown', hear);
  }, []);
  const Palette = opened.value?.default;
  return (
    <>
      <Button look="quiet" small icon="search" label={shell.goTo} onClick={() => inBackground(open())} />
      {Palette && <Palette audience={audience} pages={pages} onClose={() => (opened.value = undefined)} />}
    </>
  );
}
