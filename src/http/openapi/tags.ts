// Groups the addresses of the document by what people ask; /docs shows them in this order.

interface Tag {
  name: string;
  description: string;
  /** Names of operations, or the ids of other endpoints. */
  members: readonly string[];
}

const groups: readonly Tag[] = [
  {
    name: 'How places feel now',
    description: 'Pockets, their atmosphere and their moment.',
    members: [
      ...['list_pockets', 'lookup_pocket_by_name', 'get_network_now', 'find_calm_pocket_now'],
      ...['get_pocket_moment', 'get_pocket_atmosphere', 'get_pocket_live', 'get_pocket_day'],
      ...['list_calm_windows', 'get_pocket_week', 'get_pocket_date', 'get_pocket_calendar'],
      ...['get_pocket_signals', 'get_calm_calendar'],
      ...['compare_pockets', 'get_pocket_perception', 'get_pocket_moment_quality', 'get_resonance'],
    ],
  },
  {
    name: 'What is likely next',
    description: 'Forecasts an hour, two and three ahead, each sealed in the ledger.',
    members: ['get_pocket_futures', 'get_pocket_predictions', 'list_predictions'],
  },
  {
    name: 'Why it speaks or stays silent',
    description: 'Decisions, their reasons, what was said and what was not.',
    members: [
      ...['get_pocket_silence', 'get_silence_counts', 'list_silence_vindications', 'list_explanations'],
      ...['get_explanation', 'get_pocket_counterfactuals', 'score_legitimacy', 'get_legitimacy_index'],
      ...['get_legitimacy_index_today', 'get_composed_narrative', 'get_pocket_packages'],
      ...['get_live_moment_story', 'get_pocket_equilibrium', 'get_stream'],
    ],
  },
  {
    name: 'Outlets and intents',
    description:
      'What outlets are ready for, and which pocket suits what people want. No row names an outlet.',
    members: [
      ...['list_outlets', 'get_observed_outlet', 'get_observed_patterns', 'get_merchant_readiness'],
      ...['get_intent', 'get_intent_substrate', 'list_experiences', 'get_available_experiences'],
      ...['get_outlet_week', 'get_deal_proposal', 'simulate_outlet_autopilot', 'get_pocket_sustainability'],
      'get_sustainability',
    ],
  },
  {
    name: 'How far to trust it',
    description: 'Accuracy, failures and reports.',
    members: [
      ...[
        'get_accuracy_report',
        'list_accuracy_days',
        'list_accuracy_periods',
        'get_trust_report',
        'get_weekly_report',
      ],
      ...['list_weekly_reports', 'get_state_of_pocket', 'list_states_of_pocket', 'get_state_of_restraint'],
      ...['list_states_of_restraint', 'get_notebook', 'get_changelog'],
    ],
  },
  {
    name: 'The ledger',
    description: 'Everything that was sealed, with its proof.',
    members: [
      ...[
        'list_ledger_entries',
        'search_ledger',
        'check_ledger',
        'get_ledger_entry',
        'get_ledger_history',
        'ledger_key',
      ],
      ...[
        'ledger_checkpoint',
        'ledger_proof',
        'ledger_leaf_proof',
        'ledger_consistency',
        'ledger_tile',
        'ledger_detached',
      ],
    ],
  },
  {
    name: 'The benchmark',
    description: 'Forecasts of other systems, scored on the same outcomes.',
    members: ['submit_benchmark_predictions', 'get_benchmark_leaderboard', 'get_benchmark_scores'],
  },
  {
    name: 'Where signals come from',
    description: 'Feeds, and the bytes behind a reading.',
    members: ['list_feeds', 'get_provenance', 'feed_body'],
  },
  {
    name: 'Assistants',
    description: 'The Model Context Protocol.',
    members: ['mcp', 'manifest', 'well_known_manifest'],
  },
  {
    name: 'The service itself',
    description: 'Whether it runs, and which version.',
    members: [
      'get_heartbeat',
      'get_status_history',
      'get_check_history',
      'get_newest_reading',
      'health',
      'ready',
      'version',
      'migration_status',
    ],
  },
];

export const tags = groups.map(({ name, description }) => ({ name, description }));

/** The group of each operation and endpoint that has one. */
export const groupNames: ReadonlyMap<string, string> = new Map(
  groups.flatMap(({ name, members }) => members.map((member) => [member, name])),
);

/** What is in no group is about the service itself. */
export const operationTag = (operationId: string): string =>
  groupNames.get(operationId) ?? 'The service itself';
