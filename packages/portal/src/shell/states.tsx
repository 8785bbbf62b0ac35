import { words } from '../texts/common.ts';
import { Button, Empty, LinkButton } from '../ui/index.ts';

export function NotFound() {
  return (
    <Empty
      isWholePage
      icon="search"
      title={words.notFoundTitle}
      action={<LinkButton href="/portal">{words.toStart}</LinkButton>}
    >
      {words.notFoundText}
    </Empty>
  );
}

export function Broken() {
  return (
    <Empty
      isWholePage
      icon="warning"
      title={words.brokenTitle}
      action={<Button onClick={() => location.reload()}>{words.reloadPage}</Button>}
    >
      {words.brokenText}
    </Empty>
  );
}

export function Unreachable({ retry }: { retry: () => void }) {
  return (
    <main class="entrance-alone">
      <Empty
        isWholePage
        icon="warning"
        title={words.unreachableTitle}
        action={
          <Button look="primary" onClick={retry}>
            {words.retry}
          </Button>
        }
      >
        {words.unreachableText}
      </Empty>
    </main>
  );
}
