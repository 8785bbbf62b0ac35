import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { lazy } from 'preact-iso';
import { isServed } from '../api/index.ts';
import { inBackground } from '../kernel/background.ts';
import { everyWhileVisible } from '../kernel/clock.ts';
import { words } from '../texts/common.ts';
import { Button, Empty } from '../ui/index.ts';

const LOOK_EVERY_MS = 3_000;
/** For which page this tab was loaded anew by itself: at most once, until a page has loaded. */
const RELOADED_FOR = 'portal.reloaded-for';

/** A page that is loaded when it is opened. What cannot be loaded says so, and comes back by itself. */
export function loadPage(load: () => Promise<{ default: ComponentType }>): ComponentType {
  return lazy(async () => {
    try {
      const page = await load();
      sessionStorage.removeItem(RELOADED_FOR);
      return page;
    } catch (thrown) {
      // Either the file did not come, or the page has a mistake, which the browser's console then has.
      reportError(thrown);
      return { default: Unloaded };
    }
  });
}

/**
 * The gateway was stopped, or another build took the place of the one that this tab came from. As soon as the gateway answers, the tab is
 * loaded anew: with whichever build there is then, and whole, which a second import of the same file is not in every browser.
 */
function Unloaded() {
  const answers = useSignal<boolean | undefined>(undefined);
  async function look(): Promise<void> {
    const { pathname } = location;
    const isThere = await isServed(pathname);
    if (isThere && sessionStorage.getItem(RELOADED_FOR) !== pathname) {
      sessionStorage.setItem(RELOADED_FOR, pathname);
      location.reload();
      return;
    }
    answers.value = isThere;
  }
  useEffect(() => {
    inBackground(look());
    return everyWhileVisible(LOOK_EVERY_MS, () => inBackground(look()));
  }, []);
  if (answers.value === undefined) return null;
  return (
    <div role="alert">
      <Empty
        isWholePage
        icon="warning"
        title={answers.value ? words.brokenTitle : words.unloadedTitle}
        action={
          <Button look="primary" onClick={() => location.reload()}>
            {words.reloadPage}
          </Button>
        }
      >
        {answers.value ? words.brokenText : words.unloadedText}
      </Empty>
    </div>
  );
}
