internal import ArgumentParser
internal import Covers
internal import Files
internal import Glibc
internal import SystemPackage

/// A Kubernetes Job that runs a batch in shards.
struct KubernetesJob {
  /// The user that the pods run as.
  struct User {
    let id: UInt32
    let group: UInt32

    /// The user of this process; `nil` for root, whom the job does not permit.
    static var ofProcess: User? { getuid() == 0 ? nil : User(id: getuid(), group: getgid()) }
  }

  /// The number of shards.
  private let shards: Int
  /// The number of decoders of each pod.
  private let jobs: Int
  /// The arguments of the program.
  private let arguments: [String]
  /// The folder that relative paths start in; `nil` if all paths are absolute.
  private let folder: String?
  /// The folders that are mounted in the pods.
  private let volumes: [String]
  private let user: User?

  /// Creates a job.
  ///
  /// - Parameters:
  ///   - shards: The number of shards.
  ///   - jobs: The number of decoders of each pod, given by the user.
  ///   - reports: The folder for the reports.
  ///   - folder: The folder that relative paths start in.
  ///   - folders: The folders that the batch reads or writes.
  ///   - user: The user that the pods run as; `nil` for that of the image.
  ///   - arguments: The user's arguments for `clipcanvas batch`, as ``RawArguments`` encodes them.
  /// - Throws: If a name cannot be in a job.
  init(
    shards: Int,
    jobs: Int?,
    reports: FilePath,
    folder: FilePath,
    folders: [FilePath],
    user: User?,
    arguments: [String]
  ) throws {
    (self.shards, self.user) = (shards, user)
    self.jobs = jobs ?? BatchCommand.usualJobs
    let isRelative = folders.contains { !$0.isAbsolute }
    self.folder = isRelative ? try Self.text(folder.bytes) : nil
    let absolute = folders.map { ($0.isAbsolute ? $0 : folder.pushing($0)).lexicallyNormalized() }
    volumes = try Self.volumes(of: absolute).map { try Self.volume($0) }
    let index = "$(JOB_COMPLETION_INDEX)"
    let report = try Self.text(reports.appending("index-").bytes)
    let own = [
      "batch", "--quiet", "--shard=\(index)+1/\(shards)",
      "--report=\(Self.unexpanded(report))\(index)-of-\(shards).ndjson",
    ]
    let given = try arguments.map { Self.unexpanded(try Self.text(RawArguments.bytes(of: $0))) }
    self.arguments = own + (jobs == nil ? ["--jobs=\(BatchCommand.usualJobs)"] : []) + given
  }

  /// Returns the folders to mount: for each folder of the root that contains some of the folders, the deepest that
  /// contains all of those.
  private static func volumes(of folders: [FilePath]) -> [FilePath] {
    var result: [FilePath.Component?: FilePath] = [:]
    for folder in folders {
      let top = folder.components.first
      guard let other = result[top] else {
        result[top] = folder
        continue
      }
      let shared = zip(other.components, folder.components).prefix { $0 == $1 }.map(\.0)
      result[top] = FilePath(root: folder.root, shared)
    }
    return result.values.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
  }

  /// Returns the path of a folder to mount.
  private static func volume(_ folder: FilePath) throws -> String {
    let path = try text(folder.bytes)
    guard folder.components.first != nil, !path.contains(":") else {
      throw ValidationError("'\(folder.displayText)' cannot be a volume of a Kubernetes job; use another folder")
    }
    return path
  }

  private static func text(_ bytes: [UInt8]) throws -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ValidationError(
        "'\(FilePath(bytes: bytes).displayText)' is not UTF-8, so it cannot be in a Kubernetes job; name a folder above it"
      )
    }
    return text
  }

  /// Returns an argument, escaped so that Kubernetes replaces no variables.
  private static func unexpanded(_ argument: String) -> String { argument.replacing("$", with: "$$") }

  /// Returns text as a YAML string: in the quotes and escapes of JSON.
  private static func quoted(_ text: String) -> String {
    let json = String(decoding: DisplayText.json((try? CanonicalJSON.line(text)) ?? []), as: UTF8.self)
    // YAML, unlike JSON, forbids these two.
    let forbidden: [Unicode.Scalar: String] = ["\u{FFFE}": #"\ufffe"#, "\u{FFFF}": #"\uffff"#]
    return json.unicodeScalars.map { forbidden[$0] ?? String($0) }.joined()
  }

  /// The job, as YAML.
  var text: String {
    let user = user.map { ["        runAsUser: \($0.id)", "        runAsGroup: \($0.group)"] } ?? []
    let arguments = arguments.map { "            - \(Self.quoted($0))" }
    let folder = folder.map { ["          workingDir: \(Self.quoted($0))"] } ?? []
    let mounts = volumes.enumerated().flatMap { index, path in
      ["            - name: volume-\(index + 1)", "              mountPath: \(Self.quoted(path))"]
    }
    let claims = (1...volumes.count).flatMap { number in
      [
        "        - name: volume-\(number)", "          persistentVolumeClaim:",
        "            claimName: claim-\(number)",
      ]
    }
    let pod = [podHead] + user + [containerHead] + arguments + folder + [containerTail] + mounts
    return ([head] + pod + ["      volumes:"] + claims).joined(separator: "\n") + "\n"
  }

  private var head: String {
    """
    # Printed by clipcanvas \(ClipCanvasVersion.current); edit it as you like, and create it with kubectl create -f FILE.
    # Replace the name of the image, and those of the claims at the end.
    #
    # Each pod works on one of \(shards) shards. It lists all folders, so a shard should be at least a minute
    # of work. When the job has ended, merge the reports with 'clipcanvas report merge'. If a shard is missing, create
    # the job again: covers that are up to date are kept.
    apiVersion: batch/v1
    kind: Job
    metadata:
      generateName: clipcanvas-
    spec:
      completionMode: Indexed
      completions: \(shards)
      parallelism: \(shards)
      # A pod that is killed is started again, and continues. This needs Kubernetes 1.29 or later.
      backoffLimitPerIndex: 3
      podFailurePolicy:
        rules:
          # The pod was evicted, or its node failed: this does not count.
          - action: Ignore
            onPodConditions:
              - type: DisruptionTarget
          # Some clips have no cover, which another attempt would not change. The report lists them.
          - action: FailIndex
            onExitCodes:
              operator: In
              values: [\(ExitStatus.someFailed.rawValue)]
          # Invalid arguments.
          - action: FailJob
            onExitCodes:
              operator: In
              values: [\(ExitStatus.usage.rawValue)]
    """
  }

  private var podHead: String {
    """
      template:
        spec:
          restartPolicy: Never
          # A pod that is asked to end stops cleanly.
          terminationGracePeriodSeconds: 60
          securityContext:
            runAsNonRoot: true
            seccompProfile:
              type: RuntimeDefault
    """
  }

  private var containerHead: String {
    """
          containers:
            - name: clipcanvas
              image: clipcanvas:\(ClipCanvasVersion.current)
              command: [clipcanvas]
              args:
    """
  }

  private var containerTail: String {
    """
              resources:
                requests:
                  # The decoders of a pod run in parallel.
                  cpu: \(jobs)
              securityContext:
                allowPrivilegeEscalation: false
                readOnlyRootFilesystem: true
                capabilities:
                  drop: [ALL]
              volumeMounts:
    """
  }
}
