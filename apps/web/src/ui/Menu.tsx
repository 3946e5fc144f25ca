import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import './menu.css';

interface MenuProps {
  /** The content of the button, and its accessible name if the content is an icon. */
  button: ReactNode;
  label: string;
  className: string;
  testId: string;
  /** Has many groups: side by side where there is room, on phones a sheet at the bottom that scrolls. */
  wide?: boolean;
  /** MenuItems, with `hr` or MenuHeading between them. */
  children: ReactNode;
}

/** Pixels between button and menu, and between menu and the window's edge. */
const GAP = 4;
/** A wide menu is a sheet in narrower windows; as in menu.css. */
const SHEET_BELOW = 700;

/**
 * A button with a menu of commands. The menu is in the top layer, because scrolling lists would clip it. Arrow keys
 * move through it; a choice, Escape, Tab, a click outside or scrolling closes it.
 */
// oxlint-disable-next-line max-lines-per-function -- Position, focus and closing share one element.
export function Menu({ button, label, className, testId, wide = false, children }: MenuProps) {
  const [open, setOpen] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);

  const close = () => {
    // Before the menu closes, because its focus would be lost.
    if (menu.current?.contains(document.activeElement)) trigger.current?.focus();
    setOpen(false);
  };
  const outside = useEffectEvent((event: Event) => {
    if (
      event.target instanceof Node &&
      (menu.current?.contains(event.target) || trigger.current?.contains(event.target))
    )
      return;
    close();
  });
  useLayoutEffect(() => {
    if (!open || menu.current === null || trigger.current === null) return;
    if (!wide || innerWidth >= SHEET_BELOW) place(menu.current, trigger.current.getBoundingClientRect());
    itemsOf(menu.current)[0]?.focus({ preventScroll: true });
  }, [open, wide]);
  useEffect(() => {
    if (!open) return undefined;
    const listen = (event: Event) => outside(event);
    addEventListener('pointerdown', listen);
    addEventListener('resize', listen);
    addEventListener('scroll', listen, true);
    return () => {
      removeEventListener('pointerdown', listen);
      removeEventListener('resize', listen);
      removeEventListener('scroll', listen, true);
    };
  }, [open]);

  const keyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' || event.key === 'Tab') close();
    else if (!move(menu.current, event.key)) return;
    // The key must not reach the surrounding panel or the room's shortcuts; Tab continues from the button.
    event.stopPropagation();
    if (event.key !== 'Tab') event.preventDefault();
  };
  return (
    <>
      <button
        ref={trigger}
        type="button"
        className={className}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label={label}
        title={label}
        data-testid={testId}
        onClick={() => (open ? close() : setOpen(true))}
      >
        {button}
      </button>
      {open && (
        <div
          ref={menu}
          className={wide ? 'menu menu-wide' : 'menu'}
          role="menu"
          aria-label={label}
          tabIndex={-1}
          data-testid={`${testId}-menu`}
          onKeyDown={keyDown}
          onClick={close}
        >
          {children}
        </div>
      )}
    </>
  );
}

/** Below the button, right edges aligned, or above it if there is more space. */
function place(menu: HTMLElement, around: DOMRect): void {
  const { width, height } = menu.getBoundingClientRect();
  const below = around.bottom + GAP;
  const fits = below + height + GAP <= innerHeight;
  menu.style.left = `${Math.max(GAP, Math.min(around.right - width, innerWidth - width - GAP))}px`;
  menu.style.top = `${fits ? below : Math.max(GAP, around.top - GAP - height)}px`;
}

function itemsOf(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role^=menuitem]')];
}

/** Moves the focus according to the key; returns false for other keys. */
function move(menu: HTMLElement | null, key: string): boolean {
  if (menu === null) return false;
  const items = itemsOf(menu);
  const at = items.indexOf(document.activeElement as HTMLElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[key];
  if (next === undefined) return false;
  items.at(next % items.length)?.focus();
  return true;
}

interface MenuItemProps {
  testId: string;
  /** Missing if it is not possible. */
  onSelect?: () => void;
  /** Why it is not possible: it stays in the menu, shows the reason and does nothing. */
  why?: string;
  /** State of a switch, or (`kind` radio) of one choice among several. */
  checked?: boolean;
  kind?: 'checkbox' | 'radio';
  danger?: boolean;
  children: ReactNode;
}

export function MenuItem({ testId, onSelect, why, checked, kind, danger = false, children }: MenuItemProps) {
  if (why !== undefined) {
    return (
      <button
        type="button"
        role="menuitem"
        aria-disabled
        tabIndex={-1}
        className="menu-item menu-item-impossible"
        data-testid={testId}
        onClick={(event) => event.stopPropagation()}
      >
        <span>
          {children}
          <small>{why}</small>
        </span>
      </button>
    );
  }
  return (
    <button
      type="button"
      role={kind === undefined ? 'menuitem' : `menuitem${kind}`}
      aria-checked={checked}
      tabIndex={-1}
      className={danger ? 'menu-item menu-item-danger' : 'menu-item'}
      data-testid={testId}
      onClick={onSelect}
    >
      {kind !== undefined && (
        <span className="menu-check" aria-hidden="true">
          {checked === true ? '✓' : ''}
        </span>
      )}
      {children}
    </button>
  );
}

/** Related items under a heading. */
export function MenuGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div role="group" aria-label={label} className="menu-group">
      <p className="menu-heading" aria-hidden="true">
        {label}
      </p>
      {children}
    </div>
  );
}
