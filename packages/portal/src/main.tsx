import { render } from 'preact';
import '../../gateway/src/reference/assets/theme.css';
import './styles/tokens.css';
import { App } from './app.tsx';
import { followRefusals, followTabs, lookAround } from './state/visit.ts';

followRefusals();
followTabs();
void lookAround();
const root = document.getElementById('app');
if (root) render(<App />, root);
