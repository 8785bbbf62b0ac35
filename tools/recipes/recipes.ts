import { endpoint } from './endpoint.ts';
import { event } from './event.ts';
import { messageKind } from './message-kind.ts';
import type { Recipe } from './recipe.ts';
import { setting } from './setting.ts';

export const RECIPES: readonly Recipe[] = [setting, endpoint, messageKind, event];
