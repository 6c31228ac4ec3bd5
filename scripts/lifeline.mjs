/** Preloaded into every program we start: when the starter is gone, however it went, the program finishes as if asked to. */
if (process.channel) {
  process.once('disconnect', () => {
    if (process.listenerCount('SIGTERM')) process.emit('SIGTERM', 'SIGTERM')
    else process.exit(0)
    setTimeout(() => process.exit(1), 12_000).unref()
  })
  process.channel.unref()
}
