import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  type SyntheticEvent,
} from 'react';
import { createPortal } from 'react-dom';
import './popover.css';

interface PopoverProps {
  label: string;
  /** The element it belongs to, or how to find that; the focus returns to it. */
  anchor: HTMLElement | (() => HTMLElement | null);
  onClose: () => void;
  testId: string;
  /** Contains form fields: Tab stays inside, and arrow keys belong to the fields. */
  form?: boolean;
  /** Wide enough for drawings. */
  wide?: boolean;
  children: ReactNode;
}

const MARGIN = 8;
/** Events inside the popover must not reach the component it belongs to. */
const stop = (event: SyntheticEvent): void => event.stopPropagation();
const FOCUSABLE = 'button:not(:disabled), input:not(:disabled), select:not(:disabled), [tabindex="0"]';

/**
 * Choices beside the button that opened them. Arrow keys move through them; Escape, Tab or a press outside closes the
 * popover.
 */
// oxlint-disable-next-line max-lines-per-function -- Position, focus and closing share one element.
export function Popover({ label, anchor, onClose, testId, form = false, wide = false, children }: PopoverProps) {
  const box = useRef<HTMLDivElement>(null);
  const [style, setStyle] = useState<CSSProperties>({ visibility: 'hidden' });
  const close = useEffectEvent(onClose);
  const anchored = useEffectEvent(() => (typeof anchor === 'function' ? anchor() : anchor));

  const place = useEffectEvent((element: HTMLElement) => {
    const at = anchored()?.getBoundingClientRect() ?? { left: MARGIN, right: MARGIN, top: MARGIN, bottom: MARGIN };
    const { offsetWidth: width, offsetHeight: height } = element;
    const below = at.bottom + 4;
    const top = below + height + MARGIN <= innerHeight ? below : Math.max(MARGIN, at.top - height - 4);
    const left = Math.max(MARGIN, Math.min(at.right - width, innerWidth - width - MARGIN));
    setStyle({
      top: Math.min(top, Math.max(MARGIN, innerHeight - height - MARGIN)),
      left: at.left + width + MARGIN <= innerWidth ? Math.max(MARGIN, Math.min(at.left, left + width)) : left,
    });
  });
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    place(element);
    return () => {
      if (document.activeElement === document.body || element.contains(document.activeElement)) anchored()?.focus();
    };
  }, []);
  // Only visible elements can take the focus.
  useEffect(() => {
    if (style.visibility === undefined) box.current?.querySelector<HTMLElement>(FOCUSABLE)?.focus();
  }, [style]);

  useEffect(() => {
    const press = (event: PointerEvent) => {
      const target = event.target as Node;
      if (!box.current?.contains(target) && anchored()?.contains(target) !== true) close();
    };
    // The keyboard of a phone changes the size of the page: a form stays open while the user writes in it.
    const move = () => {
      if (!form) close();
      else if (box.current !== null) place(box.current);
    };
    // Escape closes the popover even if the focus was lost, for example because the focused button was disabled.
    const escape = (event: globalThis.KeyboardEvent) => {
      if (event.key === 'Escape' && (document.activeElement === document.body || document.activeElement === anchored()))
        close();
    };
    addEventListener('keydown', escape);
    addEventListener('pointerdown', press, true);
    addEventListener('resize', move);
    return () => {
      removeEventListener('pointerdown', press, true);
      removeEventListener('resize', move);
      removeEventListener('keydown', escape);
    };
  }, [form]);

  const keys = (event: KeyboardEvent<HTMLDivElement>) => {
    event.stopPropagation();
    if (form && event.key === 'Tab') {
      goAround(box.current, event);
      return;
    }
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault();
      onClose();
      return;
    }
    const isField = event.target instanceof HTMLInputElement;
    if ((event.key !== 'ArrowDown' && event.key !== 'ArrowUp') || isField || form) return;
    event.preventDefault();
    const stops = [...(box.current?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])];
    const at = stops.indexOf(document.activeElement as HTMLElement);
    stops.at((at + (event.key === 'ArrowDown' ? 1 : -1)) % stops.length)?.focus();
  };

  return createPortal(
    <div
      ref={box}
      className={wide ? 'popover popover-wide' : 'popover'}
      style={style}
      role="dialog"
      aria-label={label}
      data-testid={testId}
      onKeyDown={keys}
      onClick={stop}
      onContextMenu={stop}
    >
      {children}
    </div>,
    // Where the colours of the anchor apply.
    (typeof anchor === 'function' ? anchor() : anchor)?.closest('[data-popovers]') ?? document.body,
  );
}

/** Wraps the focus from the last field to the first, and back; the browser handles all other steps. */
function goAround(box: HTMLElement | null, event: KeyboardEvent): void {
  const stops = [...(box?.querySelectorAll<HTMLElement>(`${FOCUSABLE}, textarea`) ?? [])].filter(
    (field) => field.tabIndex >= 0 && field.offsetParent !== null,
  );
  const [from, to] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
  if (document.activeElement !== from) return;
  event.preventDefault();
  to?.focus();
}
