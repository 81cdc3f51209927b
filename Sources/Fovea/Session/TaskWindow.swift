/// Tasks that run at the same time and whose results are taken in the order of their start: never
/// more than the window's size, counting the results that nobody has taken yet.
///
///     started  ── taken ──│ oldest  task  task │── not read yet ──
///                         └────── size ────────┘
///
/// Tasks are started when a result is asked for. Giving up the window cancels them.
actor TaskWindow<Value: Sendable> {
  private let size: Int
  /// Starts the task of the next input; nil after the last.
  private let start: () -> Task<Value, Never>?
  /// From the oldest to the newest.
  private var tasks: [Task<Value, Never>] = []
  private var isExhausted = false

  init(size: Int, makeStart: @Sendable () -> () -> Task<Value, Never>?) {
    self.size = size
    start = makeStart()
  }

  deinit {
    for task in tasks { task.cancel() }
  }

  /// Fills the window and waits for its oldest task; nil after the last. Cancelling the caller
  /// cancels all tasks in the window, and then only one that is waited for is started.
  func next() async -> Value? {
    let limit = Task.isCancelled ? 1 : size
    while !isExhausted, tasks.count < limit {
      if let task = start() { tasks.append(task) } else { isExhausted = true }
    }
    if tasks.isEmpty { return nil }
    let (oldest, others) = (tasks.removeFirst(), tasks)
    return await withTaskCancellationHandler {
      await oldest.value
    } onCancel: {
      oldest.cancel()
      for task in others { task.cancel() }
    }
  }

  /// Cancels all tasks; no input is read any more.
  func end() {
    isExhausted = true
    for task in tasks { task.cancel() }
    tasks = []
  }
}
