import type { ComponentChildren } from 'preact';
import type { Resource } from '../api/index.ts';
import { Empty } from './empty.tsx';
import type { IconName } from './icon.tsx';
import { Loaded, Skeleton } from './loaded.tsx';
import { PageHead } from './page.tsx';

const NOT_FOUND = 404;

/** Page of one resource: its content, a skeleton while it loads, or a note that it does not exist. */
export function LoadedPage<T>({
  resource,
  back,
  missing,
  children,
}: {
  resource: Resource<T>;
  back: { href: string; label: string };
  missing: { icon: IconName; title: string; text: string };
  children: (data: T) => ComponentChildren;
}) {
  if (resource.problem?.status !== NOT_FOUND) {
    return (
      <Loaded resource={resource} skeleton={<Skeleton tall lines={3} />}>
        {children}
      </Loaded>
    );
  }
  return (
    <>
      <PageHead title={missing.title} back={back} />
      <Empty icon={missing.icon} title={missing.title}>
        {missing.text}
      </Empty>
    </>
  );
}
