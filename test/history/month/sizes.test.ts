// A month of readings, decisions, lines and reports makes no answer longer than a model can take.
import { test } from 'node:test';
import { callableTools } from '../../../src/operations/core/define.ts';
import { fittingAnswer } from '../../support/answers/answer-budgets.ts';
import { monthService } from '../../support/services/month.ts';

const { url, service } = await monthService();

// The month is only read here.
for (const operation of callableTools(service.operations))
  if (operation.effect !== 'append')
    test(`${operation.name} after a month`, async () => {
      await fittingAnswer(operation, { url, service });
    });
