@main enum F { static func main() {} }
