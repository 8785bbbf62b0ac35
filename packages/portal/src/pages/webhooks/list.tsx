import { EVENT_CATEGORIES, URL_FIELD_OF_CATEGORY, type Webhook } from '@parley/contract';
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { call, useResource, wholeList } from '../../api/index.ts';
import { nav, words } from '../../texts/common.ts';
import { categoryTexts } from '../../texts/labels.ts';
import { webhooksTexts } from '../../texts/webhooks.ts';
import {
  Ago,
  Badge,
  Button,
  Card,
  type Column,
  Empty,
  formatPhone,
  LinkButton,
  Loaded,
  PageHead,
  Table,
} from '../../ui/index.ts';
import { CreateDialog } from './create-dialog.tsx';
import { StateBadge } from './state-badge.tsx';

const COLUMNS: readonly Column<Webhook>[] = [
  { title: webhooksTexts.number, cell: ({ phone }) => formatPhone(phone), share: 1.4 },
  {
    title: webhooksTexts.receives,
    cell: (webhook) => <Categories webhook={webhook} />,
    share: 2.4,
    secondary: true,
  },
  { title: webhooksTexts.state, cell: (webhook) => <StateBadge webhook={webhook} /> },
  { title: webhooksTexts.created, cell: ({ created_at }) => <Ago at={created_at} />, secondary: true },
];

export default function WebhooksPage() {
  const { route } = useLocation();
  const creates = useSignal(false);
  const loaded = useResource(async () => {
    const [{ webhooks }, { numbers }] = await Promise.all([
      call('listMyWebhooks'),
      wholeList((page) => call('listNumbers', { query: page })),
    ]);
    return { webhooks, phones: numbers.map(({ phone }) => phone) };
  }, []);
  const free = loaded.data?.phones.filter(
    (phone) => !loaded.data?.webhooks.some((webhook) => webhook.phone === phone),
  );
  const create = (
    <Button
      look="primary"
      icon="plus"
      disabled={free?.length === 0}
      onClick={() => {
        creates.value = true;
      }}
    >
      {webhooksTexts.create}
    </Button>
  );
  return (
    <>
      <PageHead title={nav.webhooks} lead={webhooksTexts.lead}>
        {loaded.data && loaded.data.webhooks.length > 0 && create}
      </PageHead>
      <Loaded resource={loaded}>
        {({ webhooks, phones }) =>
          webhooks.length === 0 ? (
            <NoWebhooks hasNumbers={phones.length > 0} create={create} />
          ) : (
            <Card flush>
              <Table
                label={nav.webhooks}
                columns={COLUMNS}
                rows={webhooks}
                keyOf={({ id }) => id}
                hrefOf={({ id }) => `/portal/webhooks/${id}`}
              />
            </Card>
          )
        }
      </Loaded>
      {creates.value && free && (
        <CreateDialog
          phones={free}
          onClose={(made) => {
            creates.value = false;
            if (made !== undefined) route(`/portal/webhooks/${made}`);
          }}
        />
      )}
    </>
  );
}

function NoWebhooks({ hasNumbers, create }: { hasNumbers: boolean; create: ComponentChildren }) {
  const toNumbers = (
    <LinkButton look="primary" icon="phone" href="/portal/numbers">
      {words.toStart}
    </LinkButton>
  );
  return (
    <Empty icon="webhook" title={webhooksTexts.emptyTitle} action={hasNumbers ? create : toNumbers}>
      {hasNumbers ? webhooksTexts.emptyText : webhooksTexts.noNumbersText}
    </Empty>
  );
}

/** Categories that have an address. */
function Categories({ webhook }: { webhook: Webhook }) {
  return EVENT_CATEGORIES.filter((category) => webhook[URL_FIELD_OF_CATEGORY[category]] !== '').map(
    (category) => (
      <Badge key={category} tone="accent">
        {categoryTexts[category].name}
      </Badge>
    ),
  );
}
