import { nav } from '../../texts/common.ts';
import { PageHead } from '../../ui/index.ts';

export default function Page() {
  return <PageHead title={nav.keys} />;
}
