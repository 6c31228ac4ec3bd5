/**
 * Preloaded into every program we start: when the starter is gone, for whatever reason, the program ends as if asked
 * to. Node passes --import on to what a program forks; those have a channel to another parent and are left alone.
 */
if (process.channel && process.env.LIFELINE_OF === String(process.ppid)) {
  process.once('disconnect', () => {
    if (process.listenerCount('SIGTERM')) process.emit('SIGTERM', 'SIGTERM')
    else process.exit(0)
    setTimeout(() => process.exit(1), 12_000).unref()
  })
  process.channel.unref()
}
