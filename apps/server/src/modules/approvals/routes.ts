import type { contract } from '@rmeet/contract';
import type { Handlers } from '../../platform/http/index.ts';
import type { ApprovalRuleService } from './rules.ts';
import type { ApprovalService } from './service.ts';

export const approvalRoutes = (
  approvals: ApprovalService,
  rules: ApprovalRuleService,
): Handlers<typeof contract.approvals> => ({
  list: (context, { query }) => approvals.list(context, query),
  decide: (context, { params, body }) => approvals.decide(context, params.id, body),
  rules: (context) => rules.read(context),
  updateRules: (context, { body }) => rules.update(context, body),
});
