import { readConfig } from '../../config.ts';
import { migrate } from '../../store/engine/migrate.ts';
import { type Command, readOptions, say } from '../runtime/command.ts';
import { openConfiguredStore } from '../runtime/open.ts';

export const migrateCommand: Command = {
  usage: `pocketwatch migrate

Applies missing migrations, all or none, under a lock: several processes may do it at once. Every other command does the
same when it starts.`,
  run: async (args) => {
    readOptions(args, {});
    const store = openConfiguredStore(readConfig(process.env));
    try {
      const applied = await migrate(store, Date.now());
      say(applied.length ? `applied ${applied.join(', ')}` : 'up to date');
    } finally {
      await store.close();
    }
  },
};
