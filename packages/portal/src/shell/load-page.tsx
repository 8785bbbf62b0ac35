import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { lazy } from 'preact-iso';
import { isServed } from '../api/index.ts';
import { inBackground } from '../kernel/background.ts';
import { everyWhileVisible } from '../kernel/clock.ts';
import { words } from '../texts/common.ts';
import { Button, Empty } from '../ui/index.ts';

const POLL_MS = 3_000;
/** Page for which this tab was reloaded automatically; at most once until a page has loaded. */
const RELOADED_FOR = 'portal.reloaded-for';

/** Page that is loaded when opened. After a failure it shows the reason and reloads once the gateway answers. */
export function loadPage(load: () => Promise<{ default: ComponentType }>): ComponentType {
  return lazy(async () => {
    try {
      const page = await load();
      sessionStorage.removeItem(RELOADED_FOR);
      return page;
    } catch (thrown) {
      // Either the file did not load, or the page's module threw; the console has the error.
      reportError(thrown);
      return { default: Unloaded };
    }
  });
}

/**
 * Shown when the gateway was stopped or its build replaced. Reloads the tab as soon as the gateway answers, with the build of
 * that time; importing the same file again does not retry in every browser.
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
    return everyWhileVisible(POLL_MS, () => inBackground(look()));
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
