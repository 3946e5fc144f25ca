import type { ManualPage } from '@rmeet/manual/pages';
import { session } from '../lib/browser.ts';
import { useLanguage, useTexts } from '../lib/i18n/index.ts';
import { isManualShown, manualLink } from '../lib/manualLink.ts';
import { Icon } from './icons.tsx';
import './iconButton.css';
import './pageHelp.css';

interface PageHelpProps {
  page: ManualPage;
  /** With its words beside the question mark. */
  words?: boolean;
  className?: string;
  testId?: string;
}

/** A question mark that leads to a page of the manual; in a new tab, so that entries are not lost. */
export function PageHelp({ page, words = false, className = '', testId = 'page-help' }: PageHelpProps) {
  const t = useTexts('common');
  // The address follows the language.
  useLanguage();
  if (!isManualShown(navigator.userAgent, session.note('platform'))) return null;
  return (
    <a
      className={words ? 'page-help-words' : `icon-button ${className}`}
      href={manualLink(page)}
      target="_blank"
      rel="noreferrer"
      title={words ? undefined : t('shell.help')}
      aria-label={`${t('shell.help')} ${t('shell.newTab')}`}
      data-testid={testId}
    >
      <Icon name="help" />
      {words && t('shell.help')}
    </a>
  );
}
