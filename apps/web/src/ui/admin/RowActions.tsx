import { Dropdown } from 'antd';
import { useRef } from 'react';
import { useTexts } from '../../lib/i18n/index.ts';
import { Icon } from '../icons.tsx';
import './texts.ts';

export interface RowAction {
  key: string;
  label: string;
  run: () => void;
  danger?: boolean;
  /** If missing, the action is allowed. */
  allowed?: boolean;
}

interface RowActionsProps {
  /** The row's name; every row has the same buttons. */
  name: string;
  /** The first one is a button, the others are in the menu "more". */
  actions: readonly RowAction[];
}

/** The actions of a row. */
export function RowActions({ name, actions }: RowActionsProps) {
  const t = useTexts('admin');
  const [first, ...others] = actions.filter(({ allowed = true }) => allowed);
  const more = useRef<HTMLButtonElement>(null);
  if (!first) return null;
  return (
    <div className="row-actions">
      <button
        type="button"
        className={first.danger === true ? 'row-action row-action-danger' : 'row-action'}
        aria-label={t('actionOf', { action: first.label, name })}
        data-testid={`row-${first.key}`}
        onClick={first.run}
      >
        {first.label}
      </button>
      {others.length > 0 && (
        <Dropdown
          trigger={['click']}
          autoFocus
          placement="bottomRight"
          // Inside the page's main element, where screen readers look for it.
          getPopupContainer={() => document.querySelector<HTMLElement>('main') ?? document.body}
          menu={{
            items: others.map(({ key, label, danger = false }) => ({
              key,
              label,
              danger,
              'data-testid': `row-${key}`,
            })),
            onClick: ({ key }) => {
              // A dialog opened from here must return the focus to this button, because the menu is closed by then.
              // Delayed, because the closing menu takes the focus once more.
              setTimeout(() => {
                more.current?.focus();
                others.find((action) => action.key === key)?.run();
              });
            },
          }}
        >
          <button
            ref={more}
            type="button"
            className="icon-button"
            title={t('more')}
            aria-label={t('actionOf', { action: t('more'), name })}
            aria-haspopup="menu"
            data-testid="row-more"
          >
            <Icon name="more" />
          </button>
        </Dropdown>
      )}
    </div>
  );
}
