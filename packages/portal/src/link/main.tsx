import { render } from 'preact';
import '../../../gateway/src/surfaces/reference/assets/theme.css';
import '../styles/tokens.css';
import { LinkPage } from './link-page.tsx';

/** `/link/{token}` */
const [, , token = ''] = location.pathname.split('/');
const root = document.getElementById('app');
if (root) render(<LinkPage token={token} />, root);
