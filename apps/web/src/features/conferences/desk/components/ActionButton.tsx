import { createContext, use, type ButtonHTMLAttributes, type ReactNode } from 'react';
import { Icon, type IconName } from '../../../../ui/icons.tsx';
import { useT } from '../texts.tsx';
import { cannotText } from '../describe.ts';

/** What a menu does after an action in it was chosen: it closes. */
export const AfterAction = createContext<(() => void) | null>(null);

interface ActionButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'onClick' | 'children'> {
  icon: IconName;
  label: string;
  /** One of CANNOT_REASONS: the button stays visible, shows the reason and does nothing. */
  cannot?: string | null;
  /** Why the button does nothing at the moment, as text. */
  idle?: string | null;
  /** What the button controls is on. For buttons whose label says what a press does; others use `aria-pressed`. */
  on?: boolean;
  /** Only screen readers and the tooltip show the label. */
  bare?: boolean;
  size?: number;
  /** Receives the button itself, as the anchor for what opens beside it. */
  onAction: (button: HTMLButtonElement) => void;
  'data-testid'?: string;
  children?: ReactNode;
}

/**
 * A button for one action on the conference. If the action is not possible, the tooltip and screen readers give the
 * reason; the button stays focusable, so that the reason can be read by keyboard.
 */
export function ActionButton({
  icon,
  label,
  cannot = null,
  idle = null,
  on = false,
  bare = false,
  size = 20,
  className = '',
  onAction,
  children,
  ...rest
}: ActionButtonProps) {
  const t = useT();
  const afterAction = use(AfterAction);
  const why = cannot === null ? idle : cannotText(cannot, t);
  const bareLabel = why === null ? label : t('cannot.label', { label, why });
  return (
    <button
      type="button"
      className={classOf(bare, on, className)}
      aria-disabled={why === null ? undefined : true}
      title={why ?? (bare ? label : undefined)}
      aria-label={bare ? bareLabel : undefined}
      onClick={(event) => {
        event.stopPropagation();
        if (why !== null) return;
        onAction(event.currentTarget);
        afterAction?.();
      }}
      {...rest}
    >
      <Icon name={icon} size={size} />
      {!bare && <Label label={label} why={why} />}
      {children}
    </button>
  );
}

function classOf(bare: boolean, on: boolean, own: string): string {
  return `desk-act ${bare ? 'desk-act-bare' : ''} ${on ? 'desk-act-on' : ''} ${own}`;
}

function Label({ label, why }: { label: string; why: string | null }) {
  return (
    <>
      <span className="desk-act-label">{label}</span>
      {why !== null && <span className="visually-hidden">{why}</span>}
    </>
  );
}
