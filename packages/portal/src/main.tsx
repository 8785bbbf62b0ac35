import { render } from 'preact';
import '../../gateway/src/surfaces/reference/assets/theme.css';
import './styles/tokens.css';
import { asProblem } from './api/index.ts';
import { App } from './app.tsx';
import { inBackground, onFailure } from './kernel/background.ts';
import { followRefusals, followTabs, loadVisit } from './state/visit.ts';
import { toast } from './ui/index.ts';

onFailure((thrown) => toast(asProblem(thrown).message));
followRefusals();
followTabs();
inBackground(loadVisit());
const root = document.getElementById('app');
if (root) render(<App />, root);
