import type { SecondFactorSettings } from '@rmeet/contract';
import { api } from '../../lib/api/index.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { toast } from '../../lib/notify.ts';
import { FormDrawer } from '../../ui/admin/FormDrawer.tsx';
import {
  factorBody,
  factorDraftOf,
  secondFactorFaults,
  type SecondFactorDraft,
} from '../../ui/admin/secondFactor/draft.ts';
import { SecondFactorFields } from '../../ui/admin/secondFactor/SecondFactorFields.tsx';
import { useDrawer } from '../../ui/admin/useDrawer.ts';
import { useForm } from '../../ui/admin/useForm.ts';
import { Button } from '../../ui/Button.tsx';
import { SideDrawer } from '../../ui/SideDrawer.tsx';
import { ErrorState, Loading } from '../../ui/states.tsx';
import { useIsSuperAdmin, useRefreshOperators, useStaffFactor } from './queries.ts';

/** The button that opens the second factor of the platform's staff; for super administrators. */
export function StaffFactor() {
  const t = useTexts('secondFactor');
  const isSuperAdmin = useIsSuperAdmin();
  const drawer = useDrawer<null>();
  if (!isSuperAdmin) return null;
  return (
    <>
      <Button data-testid="staff-factor-open" onClick={() => drawer.show(null)}>
        {t('platform.open')}
      </Button>
      {drawer.last && <StaffFactorDrawer key={drawer.last.opening} open={drawer.open} onClose={drawer.hide} />}
    </>
  );
}

interface StaffFactorDrawerProps {
  open: boolean;
  onClose: () => void;
}

/** When the platform's staff are asked for a second factor. */
function StaffFactorDrawer({ open, onClose }: StaffFactorDrawerProps) {
  const t = useTexts('secondFactor');
  const settings = useStaffFactor();
  if (settings.data) return <StaffFactorForm settings={settings.data} open={open} onClose={onClose} />;
  return (
    <SideDrawer title={t('platform.open')} open={open} onClose={onClose} testId="staff-factor">
      {settings.isPending ? <Loading /> : <ErrorState retry={() => void settings.refetch()} />}
    </SideDrawer>
  );
}

function StaffFactorForm({ settings, open, onClose }: StaffFactorDrawerProps & { settings: SecondFactorSettings }) {
  const t = useTexts('secondFactor');
  const refresh = useRefreshOperators();
  const form = useForm<SecondFactorDraft, SecondFactorSettings>({
    initial: factorDraftOf(settings),
    keepAs: 'staff-factor',
    check: (draft) => secondFactorFaults(draft, t),
    send: (draft) => api.multiauth.setPlatformSettings({ body: factorBody(draft) }),
    fieldOf: { networks: 'factorNetworks', places: 'factorPlaces' },
    onSaved: () => {
      void refresh();
      toast('success', () => t('platform.saved'));
      onClose();
    },
  });
  const { draft, errors, change } = form;
  return (
    <FormDrawer title={t('platform.open')} open={open} onClose={onClose} form={form} testId="staff-factor">
      <SecondFactorFields draft={draft} errors={errors} onChange={change} of="platform" />
    </FormDrawer>
  );
}
