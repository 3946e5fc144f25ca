/** Product document, section 9; ms. */
export const TOOLTIP_AFTER = 3_000;
export const TOOLTIP_HIDES_AFTER = 5_000;

interface Clock {
  set: (run: () => void, ms: number) => unknown;
  clear: (timer: never) => void;
}

const CLOCK: Clock = {
  set: (run, ms) => setTimeout(run, ms),
  clear: (timer) => clearTimeout(timer),
};

/** When the tooltip of the button is shown. */
export interface Tooltip {
  /** The pointer, or the focus, is on the button: shown after 3 s. */
  enter: () => void;
  /** It has left: hidden after 5 s, and not shown any more if it was not yet. */
  leave: () => void;
  /** The button is dragged or pressed, or Escape was pressed: hidden at once. */
  hide: () => void;
}

/** @param show called with whether the tooltip is visible, when that changes */
export function createTooltip(show: (isShown: boolean) => void, clock: Clock = CLOCK): Tooltip {
  let timer: unknown;
  let isShown = false;
  const set = (next: boolean): void => {
    if (isShown === next) return;
    isShown = next;
    show(next);
  };
  const after = (next: boolean, ms: number): void => {
    clock.clear(timer as never);
    timer = clock.set(() => set(next), ms);
  };
  return {
    enter: () => after(true, TOOLTIP_AFTER),
    leave: () => after(false, isShown ? TOOLTIP_HIDES_AFTER : 0),
    hide: () => {
      clock.clear(timer as never);
      set(false);
    },
  };
}
