import type { Player } from './player.ts';

/** What keys do besides controlling the player itself. */
export interface KeyActions {
  fullScreen: () => void;
  captions: () => void;
}

const SHORT = 5_000;
const LONG = 10_000;

type Act = (player: Player, actions: KeyActions) => void;

/** By the name of the key; letters in lower case. */
const KEYS: Readonly<Record<string, Act>> = {
  ' ': (player) => player.toggle(),
  k: (player) => player.toggle(),
  ArrowLeft: (player) => player.skip(-SHORT),
  ArrowRight: (player) => player.skip(SHORT),
  j: (player) => player.skip(-LONG),
  l: (player) => player.skip(LONG),
  ',': (player) => player.step(-1),
  '.': (player) => player.step(1),
  '<': (player) => player.changeRate(-1),
  '>': (player) => player.changeRate(1),
  m: (player) => player.toggleMuted(),
  f: (_, { fullScreen }) => fullScreen(),
  c: (_, { captions }) => captions(),
};

/** The keys and what the help says of them; keys of the texts. */
export const KEY_HELP = [
  ['Space', 'toggle'],
  ['← →', 'short'],
  ['J L', 'long'],
  [', .', 'frame'],
  ['< >', 'rate'],
  ['M', 'mute'],
  ['F', 'fullScreen'],
  ['C', 'captions'],
] as const;

/** Fields keep their keys, and so do menus and dialogs; buttons keep the space bar. */
const KEEPS_ALL = 'input:not([type=range]), textarea, select, [contenteditable], [role=menu], [role=tab], dialog';
const KEEPS_SPACE = 'button, a, summary';

/** Does what a key is for; returns whether it is for anything. */
export function pressKey(
  { key, target, ctrlKey, metaKey, altKey }: Pick<KeyboardEvent, 'key' | 'target' | 'ctrlKey' | 'metaKey' | 'altKey'>,
  player: Player,
  actions: KeyActions,
): boolean {
  const act = KEYS[key.length === 1 ? key.toLowerCase() : key];
  if (act === undefined || ctrlKey || metaKey || altKey) return false;
  if (target instanceof Element) {
    if (target.closest(KEEPS_ALL) !== null) return false;
    if (key === ' ' && target.closest(KEEPS_SPACE) !== null) return false;
  }
  act(player, actions);
  return true;
}
