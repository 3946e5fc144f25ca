import { DRAWER_WIDTH } from '@rmeet/contract';
import type { ManualPage } from '@rmeet/manual/pages';
import { Drawer } from 'antd';
import { useState, type ReactNode } from 'react';
import { STILL, useMediaQuery } from '../lib/useMediaQuery.ts';
import { PageHelp } from './PageHelp.tsx';
import { useRestoreFocus } from './useRestoreFocus.ts';
import './sideDrawer.css';

interface SideDrawerProps {
  title: string;
  open: boolean;
  onClose: () => void;
  footer?: ReactNode;
  /** The page of the manual about it. */
  help?: ManualPage;
  children: ReactNode;
  testId: string;
}

/** The product's drawer: 600 px from the right, full width on phones; the focus stays inside and returns afterwards. */
export function SideDrawer({ title, open, onClose, footer, help, children, testId }: SideDrawerProps) {
  const giveBack = useRestoreFocus(open, '.side-drawer');
  // Without animation, antd inserts the drawer into the page after its content and then takes the focus: the field that
  // wants the focus must take it later.
  const isStill = useMediaQuery(STILL);
  const [isOpened, setOpened] = useState(false);

  return (
    <Drawer
      title={title}
      open={open}
      onClose={onClose}
      footer={footer}
      extra={help && <PageHelp page={help} />}
      size={DRAWER_WIDTH}
      rootClassName="side-drawer"
      destroyOnHidden
      focusable={{ trap: true, focusTriggerAfterClose: false }}
      afterOpenChange={(isOpen) => {
        setOpened(isOpen);
        if (!isOpen) giveBack();
      }}
      data-testid={testId}
    >
      {(isOpened || !isStill) && children}
    </Drawer>
  );
}
