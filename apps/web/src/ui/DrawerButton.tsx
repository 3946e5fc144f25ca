import { Suspense, useState, type ReactNode } from 'react';
import { IconButton } from './IconButton.tsx';
import type { IconName } from './icons.tsx';
import { ThemeProvider } from './ThemeProvider.tsx';
import './drawerButton.css';

/** Maximum count shown. */
const MANY = 99;

interface DrawerButtonProps {
  icon: IconName;
  /** The name with the count, if there is one. */
  label: string;
  /** Unread things; 0 shows no mark. */
  count: number;
  accent: string | null;
  testId: string;
  countTestId: string;
  /** Called from the first time that the drawer is opened. */
  renderDrawer: (open: boolean, close: () => void) => ReactNode;
}

/** A button of the header with the number of unread things, and the drawer that it opens. */
export function DrawerButton({ icon, label, count, accent, testId, countTestId, renderDrawer }: DrawerButtonProps) {
  const [open, setOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const show = () => {
    setOpen(true);
    setWasOpened(true);
  };
  return (
    <>
      <span className="drawer-button">
        <IconButton icon={icon} label={label} aria-haspopup="dialog" data-testid={testId} onClick={show} />
        {count > 0 && (
          <span className="drawer-button-count" aria-hidden="true" data-testid={countTestId}>
            {count > MANY ? `${MANY}+` : count}
          </span>
        )}
        <span className="visually-hidden" role="status">
          {count > 0 ? label : ''}
        </span>
      </span>
      {wasOpened && (
        <Suspense fallback={null}>
          <ThemeProvider accent={accent}>{renderDrawer(open, () => setOpen(false))}</ThemeProvider>
        </Suspense>
      )}
    </>
  );
}
